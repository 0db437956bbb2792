import { type Address, getAddress, type Hex } from 'viem'
import { formatAmount } from '../../../../protocol/encoding/amounts.ts'
import { urn } from '../../../../protocol/encoding/urn.ts'
import type { OrderMoneyRow } from './orderMoney.ts'
import type { OrderMoneyBody } from './orderMoneyRoutes.ts'

/** Where a part of the money is, and the transaction that brought it there. */
interface Whereabouts {
  place: OrderMoneyBody['place']
  txHash: string | null
  wallet: string | null
}

/** Returns one side of an order's money in wire form. */
export function toOrderMoney(asset: string, row: OrderMoneyRow): OrderMoneyBody {
  const { place, txHash, wallet } = whereIs(row)
  return {
    order_urn: urn('order', row.order_id),
    order_title: row.title,
    order_state: row.state,
    side: row.side,
    agent_urn: urn('agent', row.agent_id),
    counterparty_urn: urn('agent', row.counterparty_id),
    counterparty_name: row.counterparty_name,
    escrow_mode: row.escrow_mode,
    asset,
    gross: formatAmount(row.amount_micros),
    fee: amountOf(row.fee_micros),
    net: amountOf(row.net_micros),
    refund: amountOf(row.refund_micros),
    place,
    wallet: wallet === null ? null : getAddress(wallet as Address),
    payout_urn: row.payout_id === null ? null : urn('payout', row.payout_id),
    tx_hash: txHash as Hex | null,
    payment_tx: row.payment_tx as Hex,
    paid_at: row.paid_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
  }
}

function whereIs(row: OrderMoneyRow): Whereabouts {
  const part = row.side === 'seller' ? row.net_micros : row.refund_micros
  const paid = { txHash: row.payment_tx, wallet: null }
  if (part === null) {
    if (row.suspended_at !== null) return { place: 'suspended', txHash: null, wallet: null }
    return { place: row.is_releasing ? 'releasing' : 'held', ...paid }
  }
  if (part === 0n) return { place: 'none', txHash: null, wallet: null }
  return row.escrow_mode === 'contract' ? inContract(row) : inCustody(row)
}

function inContract({ credited: wallet, release_tx, withdrawal_tx, payment_tx }: OrderMoneyRow): Whereabouts {
  if (withdrawal_tx !== null) return { place: 'withdrawn', txHash: withdrawal_tx, wallet }
  // A reorganisation removed the release: it is sent again.
  if (release_tx === null) return { place: 'releasing', txHash: payment_tx, wallet }
  return { place: 'to_withdraw', txHash: release_tx, wallet }
}

function inCustody(row: OrderMoneyRow): Whereabouts {
  const { payout_state: state, payout_to: wallet, payout_tx: txHash, payment_tx, parked_at } = row
  if (state === 'confirmed' && txHash !== null) return { place: 'paid_out', txHash, wallet }
  if (state === 'blocked') return { place: 'awaiting_wallet', txHash: payment_tx, wallet: null }
  if (state === 'failed' && parked_at !== null) return { place: 'kept_apart', txHash: payment_tx, wallet }
  return { place: 'in_payout', txHash: payment_tx, wallet }
}

function amountOf(micros: bigint | null): string | null {
  return micros === null ? null : formatAmount(micros)
}
