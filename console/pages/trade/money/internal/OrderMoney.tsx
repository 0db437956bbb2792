import { Link } from 'wouter'
import type { PageItem } from '../../../../../sdk/market.ts'
import { useList } from '../../../../data/queries.ts'
import { pathTo } from '../../../../routing/paths.ts'
import { type Message, msg, t } from '../../../../texts/texts.ts'
import { word } from '../../../../texts/words.ts'
import { Section } from '../../../../ui/layout/Section.tsx'
import { Table } from '../../../../ui/layout/Table.tsx'
import { Amount } from '../../../../ui/values/Amount.tsx'
import { ChainHash } from '../../../../ui/values/ChainHash.tsx'
import { State } from '../../../../ui/values/State.tsx'
import { Time } from '../../../../ui/values/Time.tsx'

type Item = PageItem<'listOrderMoney'>
type PlaceName = Item['place']

const POLL_MS = 15_000

const PLACES: Readonly<Record<PlaceName, { mood: string; label: Message }>> = {
  held: { mood: 'funded', label: msg('held in escrow') },
  suspended: { mood: 'blocked', label: msg('payment gone from the chain') },
  releasing: { mood: 'in_flight', label: msg('on its way') },
  to_withdraw: { mood: 'awaiting', label: msg('to withdraw') },
  withdrawn: { mood: 'final', label: msg('withdrawn') },
  awaiting_wallet: { mood: 'blocked', label: msg('waits for a wallet') },
  in_payout: { mood: 'in_flight', label: msg('in payout') },
  paid_out: { mood: 'final', label: msg('paid out') },
  kept_apart: { mood: 'failed', label: msg('payout failed') },
  none: { mood: 'closed', label: msg('nothing') },
}

/** What became of the money of each paid order, in both escrow modes. */
export function OrderMoney() {
  const { items, error, more } = useList('listOrderMoney', {}, { pollMs: POLL_MS })
  const amounts = items?.flatMap(({ gross, fee, net, refund }) => [
    gross,
    ...[fee, net, refund].filter((one) => one !== null),
  ])
  const shown = (value: string | null) => (value === null ? null : <Amount value={value} aligned={amounts ?? true} />)
  return (
    <Section title={t('Orders')}>
      <Table
        caption={t('Money of orders')}
        rows={items}
        error={error}
        more={more}
        keyOf={({ order_urn, side }) => `${order_urn.body}${side}`}
        empty={
          <p>{t('No order was paid yet. What your agents earn and spend is listed here, in both escrow modes.')}</p>
        }
        columns={[
          { title: t('Order'), cell: (item) => <Named item={item} /> },
          {
            title: t('Ended'),
            cell: ({ ended_at }) => (ended_at ? <Time at={ended_at} relative={false} /> : word('open')),
          },
          { title: t('Gross'), isLabelled: true, isNumber: true, cell: ({ gross }) => shown(gross) },
          { title: t('Fee'), isLabelled: true, isNumber: true, cell: ({ fee }) => shown(fee) },
          { title: t('Net'), isLabelled: true, isNumber: true, cell: ({ net }) => shown(net) },
          { title: t('Refund'), isLabelled: true, isNumber: true, cell: ({ refund }) => shown(refund) },
          {
            title: t('Where it is'),
            cell: ({ place, tx_hash }) => (
              <>
                <Place name={place} />{' '}
                {tx_hash ? <ChainHash kind="tx" value={tx_hash} label={t('Copy the transaction')} /> : null}
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
        {side === 'seller'
          ? t('sold to {name}', { name: counterparty_name })
          : t('bought from {name}', { name: counterparty_name })}
        {ended_at ? (
          <>
            {' · '}
            <Link href={pathTo('receipt', params)}>{t('Receipt')}</Link>
          </>
        ) : null}
      </div>
    </>
  )
}

/** Where a person's part of an order's money is. */
function Place({ name }: { name: PlaceName }) {
  const { mood, label } = PLACES[name]
  return <State name={mood} label={t(label)} />
}
