import type { Address } from 'viem'
import { type Split, splitHold } from '../../protocol/split.ts'
import { requireKnownChain } from '../chain/progress.ts'
import type { Settings } from '../context.ts'
import { requestIntent } from '../db/intents.ts'
import type { Tx } from '../db/pool.ts'
import { lockOrderRow, type OrderRow } from '../orders/find.ts'
import { requireNotSuspended } from '../orders/suspend.ts'
import { orderTerms } from '../orders/terms.ts'
import { releaseDeposit } from './custody.ts'
import { type HoldRow, lockHold } from './holds.ts'

/**
 * Lets an order's hold go: `refundMicros` back to the payer, the rest to the seller less the fee (spec 3.3). In contract
 * mode the chain is asked, and the order ends when it has done so; in custodied mode the order ends at once, and the
 * payouts go out afterwards. Throws a RangeError for more than the hold, an Error where nothing is held,
 * orders/suspended
 * while its payment is gone from the chain, and service/catching-up while the chain is not known.
 */
export async function requestRelease(
  tx: Tx,
  settings: Settings,
  orderId: string,
  { refundMicros }: { refundMicros: bigint },
): Promise<void> {
  await requireKnownChain(tx)
  const order = await lockOrderRow(tx, orderId)
  if (!order) throw new Error(`there is no order ${orderId}`)
  requireNotSuspended(order)
  const hold = await lockHold(tx, orderId)
  if (hold.status !== 'held') throw new Error(`hold ${hold.id} was released before`)
  const split = splitHold(hold.amount_micros, refundMicros, order.fee_bps)
  if (order.escrow_mode === 'custodied') await releaseDeposit(tx, settings, order, hold, split)
  else await askContract(tx, order, hold, split)
}

async function askContract(tx: Tx, order: OrderRow, hold: HoldRow, split: Split): Promise<void> {
  const terms = orderTerms(order)
  const payer = hold.payer as Address
  const legs = [
    { account: terms.payee, amount: split.payeeMicros },
    { account: payer, amount: split.payerMicros },
    { account: terms.feeRecipient, amount: split.feeMicros },
  ].filter(({ amount }) => amount > 0n)
  await requestIntent(tx, `release:${order.id}`, order.id, {
    kind: 'release',
    terms,
    payer,
    recipients: legs.map(({ account }) => account),
    amounts: legs.map(({ amount }) => amount),
  })
}
