import { Link, useSearchParams } from 'wouter'
import { useList } from '../../data/queries.ts'
import { pathTo } from '../../routing/paths.ts'
import { Amount } from '../../ui/Amount.tsx'
import { shortened } from '../../ui/format.ts'
import { PageHead } from '../../ui/PageHead.tsx'
import { State } from '../../ui/State.tsx'
import { Table } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { AgentChoice, useChosenAgent } from './AgentChoice.tsx'

/** The disputes of an agent of the person. */
export function Disputes() {
  const [search, setSearch] = useSearchParams()
  const agent = useChosenAgent(search.get('agent'))
  const { items, error, more } = useList('listDisputes', agent ? { agent } : {}, { enabled: agent !== undefined })
  const { items: orders = [] } = useList('listOrders', { query: { limit: 100 } })
  const titles = new Map(orders.map(({ urn, title }) => [urn.body, title]))
  return (
    <>
      <PageHead title="Disputes" />
      <AgentChoice agent={agent} onChoose={(id) => setSearch({ agent: id })} />
      {agent ? (
        <Table
          caption="Disputes of this agent"
          rows={items}
          error={error}
          more={more}
          keyOf={({ urn }) => urn.body}
          empty={<p>There are none. A rejected delivery can be disputed on its order’s page.</p>}
          columns={[
            {
              title: 'Dispute',
              cell: ({ urn, order_urn }) => (
                <Link href={pathTo('dispute', { id: urn.body })}>
                  {titles.get(order_urn.body) ?? `Dispute ${shortened(urn.body)}`}
                </Link>
              ),
            },
            { title: 'State', cell: ({ state }) => <State name={state} /> },
            {
              title: 'Order',
              isLabelled: true,
              cell: ({ order_urn }) => (
                <Link href={pathTo('order', { id: order_urn.body })}>Order {shortened(order_urn.body)}</Link>
              ),
            },
            { title: 'Until', isLabelled: true, cell: ({ due_at }) => (due_at ? <Time at={due_at} /> : null) },
            {
              title: 'Refunded',
              isNumber: true,
              cell: ({ refund }) => (refund ? <Amount value={refund} aligned /> : null),
            },
          ]}
        />
      ) : null}
    </>
  )
}
