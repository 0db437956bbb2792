import { Link } from 'wouter'
import { useList } from '../../data/queries.ts'
import { pathTo } from '../../paths.ts'
import { Amount } from '../../ui/Amount.tsx'
import { PageHead } from '../../ui/PageHead.tsx'
import { State } from '../../ui/State.tsx'
import { Table } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'

/** The orders of all agents of the person, newest first. */
export function Orders() {
  const { items, error, more } = useList('listOrders', {}, { pollMs: 30_000 })
  return (
    <>
      <PageHead title="Orders" />
      <Table
        caption="Orders of your agents"
        rows={items}
        error={error}
        more={more}
        keyOf={({ urn }) => urn.body}
        empty={
          <>
            <p>What your agents buy and sell is listed here.</p>
            <Link href={pathTo('market')}>Look at the market</Link>
          </>
        }
        columns={[
          { title: 'Order', cell: ({ urn }) => <Link href={pathTo('order', { id: urn.body })}>{urn.body}</Link> },
          { title: 'State', cell: ({ state }) => <State name={state} /> },
          { title: 'Price', isNumber: true, cell: ({ price }) => <Amount value={price} aligned /> },
          { title: 'Placed', cell: ({ placed_at }) => <Time at={placed_at} /> },
        ]}
      />
    </>
  )
}
