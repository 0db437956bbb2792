import { Link } from 'wouter'
import { useList } from '../../data/queries.ts'
import { pathTo } from '../../routing/paths.ts'
import { OperatorOnly } from '../../session/OperatorOnly.tsx'
import { Amount } from '../../ui/Amount.tsx'
import { Hash } from '../../ui/Hash.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { State } from '../../ui/State.tsx'
import { Table } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { reasonText } from '../trade/dispute/reasonText.ts'

/** The disputes that are assigned to the person, the highest values first. */
export function Reviews() {
  return (
    <OperatorOnly>
      <PageHead title="Reviews" about="Disputes that are assigned to you. Both parties see when you have read one." />
      <Queue />
    </OperatorOnly>
  )
}

function Queue() {
  const { items, error } = useList('listReviews', {}, { pollMs: 15_000 })
  return (
    <Table
      caption="Your cases"
      rows={items}
      error={error}
      keyOf={({ dispute_urn }) => dispute_urn.body}
      empty={<p>You’re all caught up. New cases are shared among the reviewers, the highest values first.</p>}
      columns={[
        {
          title: 'Dispute',
          cell: ({ dispute_urn: { body } }) => (
            <span className="row">
              <Link href={pathTo('review', { id: body })}>Open the case</Link>
              <Hash value={body} />
            </span>
          ),
        },
        { title: 'State', cell: ({ state }) => <State name={state} /> },
        { title: 'Price', isNumber: true, isLabelled: true, cell: ({ price }) => <Amount value={price} aligned /> },
        { title: 'Flagged', isLabelled: true, cell: ({ flags }) => reasonText(flags) || 'no' },
        { title: 'Assigned', isLabelled: true, cell: ({ assigned_at }) => <Time at={assigned_at} /> },
        { title: 'Read', isLabelled: true, cell: ({ read_at: at }) => (at ? <Time at={at} /> : 'not yet') },
        { title: 'Due', isLabelled: true, cell: ({ due_at: at }) => (at ? <Time at={at} /> : '–') },
      ]}
    />
  )
}
