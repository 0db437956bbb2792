import { urnString } from '../../../../../protocol/encoding/urn.ts'
import { useRead } from '../../../../data/queries.ts'
import type { OrderBody, Viewer } from '../record/order.ts'
import { WithdrawCredit } from './WithdrawCredit.tsx'

/** Withdraws the viewer's part of an order that the contract has distributed. */
export function WithdrawPart({ order, viewer }: { order: OrderBody; viewer: Viewer }) {
  const params = { urn: urnString('order', order.urn.body) }
  const isDistributed = order.escrow_mode === 'contract' && order.hold?.status === 'released'
  const { data } = useRead(
    'readOrderMoney',
    { params, agent: viewer.agent },
    {
      enabled: isDistributed,
      pollMs: 10_000,
      isDone: ({ orders }) => orders.every(({ place }) => place === 'withdrawn'),
    },
  )
  const mine = data?.orders.find(({ side }) => side === viewer.side)
  const part = viewer.side === 'seller' ? mine?.net : mine?.refund
  if (!mine || !part) return null
  const wallets = mine.place === 'to_withdraw' && mine.wallet ? [{ address: mine.wallet, claimable: part }] : []
  return <WithdrawCredit amount={part} wallets={wallets} />
}
