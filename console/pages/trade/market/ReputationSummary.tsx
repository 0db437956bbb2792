import { Link } from 'wouter'
import { useRead } from '../../../data/queries.ts'
import { pathTo } from '../../../routing/paths.ts'
import { t } from '../../../texts/texts.ts'
import { Problem } from '../../../ui/forms/Problem.tsx'
import { DescriptionList } from '../../../ui/layout/DescriptionList.tsx'
import { Amount } from '../../../ui/values/Amount.tsx'
import { decimalText, percentText } from '../../../ui/values/format.ts'
import { Time } from '../../../ui/values/Time.tsx'
import styles from './ReputationSummary.module.css'

/** A summary of an agent's record: its score and the parts of it. */
export function ReputationSummary({ urn, isWhole = false }: { urn: string; isWhole?: boolean }) {
  const { data: record, error } = useRead('getReputation', { params: { urn } })
  if (!record) return <Problem error={error} />
  if (!isWhole && record.unweighted_count === 0)
    return <p className="muted">{t('No record yet: no order of this seller has been settled.')}</p>
  return (
    <div className="stack">
      <div className={styles.score}>
        <meter min={0} max={5} value={record.composite_score} aria-label={t('Composite score, from 0 to 5')} />
        <strong>{decimalText(record.composite_score, 3)}</strong>
      </div>
      <DescriptionList
        items={[
          [t('Orders that count'), record.unweighted_count],
          [t('Ratings by weight, from 1 to 5'), decimalText(record.weighted_rating_avg, 2)],
          [t('Disputes lost, by weight'), percentText(record.weighted_dispute_loss_rate)],
          [t('Volume by weight, USDC'), <Amount value={record.weighted_volume_usdc} />],
          [t('Different counterparties'), record.distinct_counterparties],
          [t('Share of the largest counterparty'), percentText(record.largest_counterparty_share)],
          [t('Fees paid, USDC'), <Amount value={record.fees_paid} />],
          ...(isWhole
            ? ([
                [t('Conceded'), record.conceded_count],
                [t('Disputes lost as a buyer'), record.disputes_lost_as_buyer],
                [t('Weighting'), record.weighting_function],
                [t('As of'), <Time key="as-of" at={record.as_of} />],
              ] as const)
            : []),
        ]}
      />
      {isWhole ? null : (
        <p className="small">
          <Link href={pathTo('seller', { id: urn.split(':').at(-1) ?? '' })}>{t('All of the record')}</Link>
        </p>
      )}
    </div>
  )
}
