import type { Settings } from '../../context.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { businessKey, type FundedEvent } from '../chain/evidence.ts'
import { closeIntent } from '../chain/intents.ts'
import { fundedPosting } from '../ledger/contract.ts'
import { post } from '../ledger/post.ts'
import type { EscrowOrder } from './escrowOrder.ts'
import { openHold } from './openHold.ts'
import { attributePayer, lockPaidFor, paidForOrder } from './payerAttribution.ts'
import { parkPayment, rejectPayment, setUnmatchedStatus, type UnmatchedPayment } from './unmatchedPayments.ts'

/**
 * The contract opened a hold. It funds the order with its terms, if that awaits payment and the payer is its buyer's.
 * A hold of a stranger, a late one, or one with terms that were never offered is refunded; the order is unchanged.
 */
export async function recordFunding(tx: Tx, settings: Settings, event: FundedEvent): Promise<void> {
  const payment = { payer: event.payer, nonce: event.nonce }
  await post(tx, fundedPosting(settings.chain, event))
  if (event.adopted) await closeAdoptedPayment(tx, `payment:${event.payer}:${event.nonce}`)
  const order = await lockPaidFor(tx, payment)
  if (order?.mode !== 'contract' || order.nonce !== event.nonce) {
    await rejectPayment(tx, settings, unmatchedHold(event, undefined))
    return
  }
  const attribution = order.isAwaitingPayment ? await attributePayer(tx, paidForOrder(order), payment) : 'stranger'
  if (attribution === 'buyer') {
    const { amount: amountMicros } = event.terms
    await openHold(tx, settings, order, {
      ...payment,
      amountMicros,
      txHash: event.place.txHash,
      holdId: event.holdId,
    })
  } else if (attribution === 'unclaimed') {
    await parkPayment(tx, unmatchedHold(event, order), 'waiting')
  } else {
    await rejectPayment(tx, settings, unmatchedHold(event, order))
  }
}

/** The contract turned a payment into a hold: from here on the hold is tracked, and the payment is not returned. */
async function closeAdoptedPayment(tx: Tx, paymentKey: string): Promise<void> {
  await setUnmatchedStatus(tx, paymentKey, 'matched')
  await closeIntent(tx, `return_stray:${paymentKey}`, 'voided')
}

function unmatchedHold(event: FundedEvent, order: EscrowOrder | undefined): UnmatchedPayment {
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
