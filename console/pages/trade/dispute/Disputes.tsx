import { Link, useSearchParams } from 'wouter'
import { useList } from '../../../data/queries.ts'
import { pathTo } from '../../../routing/paths.ts'
import { t } from '../../../texts/texts.ts'
import { PageHead } from '../../../ui/layout/PageHead.tsx'
import { Table } from '../../../ui/layout/Table.tsx'
import { Amount } from '../../../ui/values/Amount.tsx'
import { shortened } from '../../../ui/values/format.ts'
import { State } from '../../../ui/values/State.tsx'
import { Time } from '../../../ui/values/Time.tsx'
import { AgentChoice, useChosenAgent } from '../orders/AgentChoice.tsx'

/** The disputes of an agent of the person. */
export function Disputes() {
  const [search, setSearch] = useSearchParams()
  const agent = useChosenAgent(search.get('agent'))
  const { items, error, more } = useList('listDisputes', agent ? { agent } : {}, { enabled: agent !== undefined })
  const { items: orders = [] } = useList('listOrders', { query: { limit: 100 } })
  const titles = new Map(orders.map(({ urn, title }) => [urn.body, title]))
  return (
    <>
      <PageHead title={t('Disputes')} />
      <AgentChoice agent={agent} onChoose={(id) => setSearch({ agent: id })} />
      {agent ? (
        <Table
          caption={t('Disputes of this agent')}
          rows={items}
          error={error}
          more={more}
          keyOf={({ urn }) => urn.body}
          empty={<p>{t('No disputes. A rejected delivery can be disputed on its order’s page.')}</p>}
          columns={[
            {
              title: t('Dispute'),
              cell: ({ urn, order_urn }) => (
                <Link href={pathTo('dispute', { id: urn.body })}>
                  {titles.get(order_urn.body) ?? t('Dispute {id}', { id: shortened(urn.body) })}
                </Link>
              ),
            },
            { title: t('State'), cell: ({ state }) => <State name={state} /> },
            {
              title: t('Order'),
              isLabelled: true,
              cell: ({ order_urn }) => (
                <Link href={pathTo('order', { id: order_urn.body })}>
                  {t('Order {id}', { id: shortened(order_urn.body) })}
                </Link>
              ),
            },
            { title: t('Until'), isLabelled: true, cell: ({ due_at }) => (due_at ? <Time at={due_at} /> : null) },
            {
              title: t('Refunded'),
              isNumber: true,
              cell: ({ refund }) => (refund ? <Amount value={refund} aligned /> : null),
            },
          ]}
        />
      ) : null}
    </>
  )
}
