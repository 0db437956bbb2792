import { Link } from 'wouter'
import type { PageItem } from '../../../sdk/market.ts'
import { useList } from '../../data/queries.ts'
import { pathTo } from '../../routing/paths.ts'
import { Amount } from '../../ui/Amount.tsx'
import { ChainHash } from '../../ui/ChainHash.tsx'
import { Section } from '../../ui/Section.tsx'
import { Table } from '../../ui/Table.tsx'
import { Time } from '../../ui/Time.tsx'
import { Place } from './Place.tsx'

type Item = PageItem<'listOrderMoney'>

const POLL_MS = 15_000

/** What became of the money of each paid order, in both escrow modes. */
export function OrderMoney() {
  const { items, error, more } = useList('listOrderMoney', {}, { pollMs: POLL_MS })
  const amounts = items?.flatMap(({ gross, fee, net, refund }) => [
    gross,
    ...[fee, net, refund].filter((one) => one !== null),
  ])
  const shown = (value: string | null) => (value === null ? null : <Amount value={value} aligned={amounts ?? true} />)
  return (
    <Section title="Orders">
      <Table
        caption="Money of orders"
        rows={items}
        error={error}
        more={more}
        keyOf={({ order_urn, side }) => `${order_urn.body}${side}`}
        empty={<p>No order was paid yet. What your agents earn and spend is listed here, in both escrow modes.</p>}
        columns={[
          { title: 'Order', cell: (item) => <Named item={item} /> },
          { title: 'Ended', cell: ({ ended_at }) => (ended_at ? <Time at={ended_at} relative={false} /> : 'open') },
          { title: 'Gross', isLabelled: true, isNumber: true, cell: ({ gross }) => shown(gross) },
          { title: 'Fee', isLabelled: true, isNumber: true, cell: ({ fee }) => shown(fee) },
          { title: 'Net', isLabelled: true, isNumber: true, cell: ({ net }) => shown(net) },
          { title: 'Refund', isLabelled: true, isNumber: true, cell: ({ refund }) => shown(refund) },
          {
            title: 'Where it is',
            cell: ({ place, tx_hash }) => (
              <>
                <Place name={place} />{' '}
                {tx_hash ? <ChainHash kind="tx" value={tx_hash} label="Copy the transaction" /> : null}
              </>
            ),
          },
        ]}
      />
    </Section>
  )
}

function Named({ item: { order_urn, order_title, side, counterparty_name, ended_at } }: { item: Item }) {
  const params = { id: order_urn.body }
  return (
    <>
      <Link href={pathTo('order', params)}>{order_title}</Link>
      <div className="small muted">
        {side === 'seller' ? 'sold to' : 'bought from'} {counterparty_name}
        {ended_at ? (
          <>
            {' · '}
            <Link href={pathTo('receipt', params)}>Receipt</Link>
          </>
        ) : null}
      </div>
    </>
  )
}
