import { getAddress, type Hex } from 'viem'
import type { Terms } from '../../protocol/terms.ts'
import type { OrderRow } from './find.ts'

/** A database time as the chain counts it: whole unix seconds. */
export function unixSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1000)
}

/** The terms of a contract-mode order's hold, as pinned at placement. Throws for an order without a payee. */
export function orderTerms(order: PinnedTerms): Terms {
  if (order.payee === null) throw new Error(`order ${order.order_key} has no payee: it is not in contract mode`)
  return {
    order: order.order_key as Hex,
    payee: getAddress(order.payee),
    amount: order.price_micros,
    feeRecipient: getAddress(order.fee_recipient),
    feeBps: order.fee_bps,
    fundBy: unixSeconds(order.valid_before),
    expiry: unixSeconds(order.expires_at),
  }
}

type PinnedTerms = Pick<
  OrderRow,
  'order_key' | 'payee' | 'price_micros' | 'fee_recipient' | 'fee_bps' | 'valid_before' | 'expires_at'
>
