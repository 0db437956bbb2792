import { Link } from 'wouter'
import { useRead } from '../../../data/queries.ts'
import { pathTo } from '../../../routing/paths.ts'
import { Amount } from '../../../ui/Amount.tsx'
import { DescriptionList } from '../../../ui/DescriptionList.tsx'
import { Problem } from '../../../ui/Problem.tsx'
import { Time } from '../../../ui/Time.tsx'
import styles from './ReputationSummary.module.css'

/** A summary of an agent's record: its score and the parts of it. */
export function ReputationSummary({ urn, isWhole = false }: { urn: string; isWhole?: boolean }) {
  const { data: record, error } = useRead('getReputation', { params: { urn } })
  if (!record) return <Problem error={error} />
  if (!isWhole && record.unweighted_count === 0)
    return <p className="muted">No record yet: no order of this seller has been settled.</p>
  return (
    <div className="stack">
      <div className={styles.score}>
        <meter min={0} max={5} value={record.composite_score} aria-label="Composite score, from 0 to 5" />
        <strong>{record.composite_score.toFixed(3)}</strong>
      </div>
      <DescriptionList
        items={[
          ['Orders that count', record.unweighted_count],
          ['Ratings by weight, from 1 to 5', record.weighted_rating_avg.toFixed(2)],
          ['Disputes lost, by weight', `${(record.weighted_dispute_loss_rate * 100).toFixed(1)} %`],
          ['Volume by weight, USDC', <Amount value={record.weighted_volume_usdc} />],
          ['Different counterparties', record.distinct_counterparties],
          ['Share of the largest counterparty', `${(record.largest_counterparty_share * 100).toFixed(0)} %`],
          ['Fees paid, USDC', <Amount value={record.fees_paid} />],
          ...(isWhole
            ? ([
                ['Conceded', record.conceded_count],
                ['Disputes lost as a buyer', record.disputes_lost_as_buyer],
                ['Weighting', record.weighting_function],
                ['As of', <Time key="as-of" at={record.as_of} />],
              ] as const)
            : []),
        ]}
      />
      {isWhole ? null : (
        <p className="small">
          <Link href={pathTo('seller', { id: urn.split(':').at(-1) ?? '' })}>All of the record</Link>
        </p>
      )}
    </div>
  )
}
