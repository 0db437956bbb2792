import type { Settings } from '../context.ts'
import { closeIntent } from '../db/intents.ts'
import type { Tx } from '../db/pool.ts'
import { fundedPosting } from '../ledger/contract.ts'
import { post } from '../ledger/post.ts'
import type { OrderRow } from '../orders/find.ts'
import { businessKey, type FundedEvent } from './evidence.ts'
import { payOrder } from './pay.ts'
import { orderOfPayment, payerStanding } from './standing.ts'
import { keepFor, type Stray, setStrayStatus, turnAway } from './strays.ts'

/**
 * The contract opened a hold. It funds the order whose terms it has, if it is still unpaid and the payer is its buyer's;
 * a stranger's, a late one, or one for terms we never offered goes back to whoever paid it, and the order never notices.
 */
export async function recordFunding(tx: Tx, settings: Settings, event: FundedEvent): Promise<void> {
  const payment = { payer: event.payer, nonce: event.nonce }
  await post(tx, fundedPosting(settings.chain, event))
  if (event.adopted) await forgetPayment(tx, `payment:${event.payer}:${event.nonce}`)
  const order = await orderOfPayment(tx, payment)
  if (order?.escrow_mode !== 'contract' || order.nonce !== event.nonce) {
    await turnAway(tx, settings, strayHold(event, undefined))
    return
  }
  const standing = order.state === 'placed' ? await payerStanding(tx, order, payment) : 'stranger'
  if (standing === 'buyer') {
    const { amount: amountMicros } = event.terms
    await payOrder(tx, order, { ...payment, amountMicros, txHash: event.place.txHash, holdId: event.holdId })
  } else if (standing === 'unclaimed') {
    await keepFor(tx, strayHold(event, order), 'waiting')
  } else {
    await turnAway(tx, settings, strayHold(event, order))
  }
}

/** The payment of an adopted hold is one no more: what becomes of the hold is what becomes of it. */
async function forgetPayment(tx: Tx, strayKey: string): Promise<void> {
  await setStrayStatus(tx, strayKey, 'matched')
  await closeIntent(tx, `return_stray:${strayKey}`, 'voided')
}

function strayHold(event: FundedEvent, order: OrderRow | undefined): Stray {
  return {
    key: businessKey(event),
    kind: 'hold',
    orderId: order?.id ?? null,
    payer: event.payer,
    nonce: event.nonce,
    amountMicros: event.terms.amount,
    txHash: event.place.txHash,
    terms: event.terms,
  }
}
