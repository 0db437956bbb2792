import { Link } from 'wouter'
import { useList } from '../../../data/queries.ts'
import { pathTo } from '../../../routing/paths.ts'
import { OperatorOnly } from '../../../session/OperatorOnly.tsx'
import { t } from '../../../texts/texts.ts'
import { PageHead } from '../../../ui/layout/PageHead.tsx'
import { Table } from '../../../ui/layout/Table.tsx'
import { Amount } from '../../../ui/values/Amount.tsx'
import { Hash } from '../../../ui/values/Hash.tsx'
import { State } from '../../../ui/values/State.tsx'
import { Time } from '../../../ui/values/Time.tsx'
import { reasonText } from '../../trade/dispute/reasonText.ts'

/** The disputes that are assigned to the person, the highest values first. */
export function Reviews() {
  return (
    <OperatorOnly>
      <PageHead
        title={t('Reviews')}
        about={t('Disputes that are assigned to you. Both parties see when you have read one.')}
      />
      <Queue />
    </OperatorOnly>
  )
}

function Queue() {
  const { items, error } = useList('listReviews', {}, { pollMs: 15_000 })
  return (
    <Table
      caption={t('Your cases')}
      rows={items}
      error={error}
      keyOf={({ dispute_urn }) => dispute_urn.body}
      empty={<p>{t('You’re all caught up. New cases are shared among the reviewers, the highest values first.')}</p>}
      columns={[
        {
          title: t('Dispute'),
          cell: ({ dispute_urn: { body } }) => (
            <span className="row">
              <Link href={pathTo('review', { id: body })}>{t('Open the case')}</Link>
              <Hash value={body} />
            </span>
          ),
        },
        { title: t('State'), cell: ({ state }) => <State name={state} /> },
        { title: t('Price'), isNumber: true, isLabelled: true, cell: ({ price }) => <Amount value={price} aligned /> },
        { title: t('Flagged'), isLabelled: true, cell: ({ flags }) => reasonText(flags) || t('no') },
        { title: t('Assigned'), isLabelled: true, cell: ({ assigned_at }) => <Time at={assigned_at} /> },
        { title: t('Read'), isLabelled: true, cell: ({ read_at: at }) => (at ? <Time at={at} /> : t('not yet')) },
        { title: t('Due'), isLabelled: true, cell: ({ due_at: at }) => (at ? <Time at={at} /> : '–') },
      ]}
    />
  )
}
