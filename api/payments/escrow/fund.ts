import type { Settings } from '../../context.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { businessKey, type FundedEvent } from '../chain/evidence.ts'
import { closeIntent } from '../chain/intents.ts'
import { fundedPosting } from '../ledger/contract.ts'
import { post } from '../ledger/post.ts'
import { openHold } from './openHold.ts'
import type { Payable } from './payable.ts'
import { attributePayer, lockPaidFor, paidForOrder } from './payerAttribution.ts'
import { parkPayment, rejectPayment, setUnmatchedStatus, type UnmatchedPayment } from './unmatchedPayments.ts'

/**
 * The contract opened a hold. It funds the payable with its terms, if that awaits payment and the payer is its buyer's.
 * A hold of a stranger, a late one, or one with terms that were never offered is refunded; the payable is unchanged.
 */
export async function recordFunding(tx: Tx, settings: Settings, event: FundedEvent): Promise<void> {
  const payment = { payer: event.payer, nonce: event.nonce }
  await post(tx, fundedPosting(settings.chain, event))
  if (event.adopted) await closeAdoptedPayment(tx, `payment:${event.payer}:${event.nonce}`)
  const payable = await lockPaidFor(tx, payment)
  if (payable?.mode !== 'contract' || payable.nonce !== event.nonce) {
    await rejectPayment(tx, settings, unmatchedHold(event, undefined))
    return
  }
  const attribution = payable.isAwaitingPayment ? await attributePayer(tx, paidForOrder(payable), payment) : 'stranger'
  if (attribution === 'buyer') {
    const { amount: amountMicros } = event.terms
    await openHold(tx, settings, payable, {
      ...payment,
      amountMicros,
      txHash: event.place.txHash,
      holdId: event.holdId,
    })
  } else if (attribution === 'unclaimed') {
    await parkPayment(tx, unmatchedHold(event, payable), 'waiting')
  } else {
    await rejectPayment(tx, settings, unmatchedHold(event, payable))
  }
}

/** The contract turned a payment into a hold: from here on the hold is tracked, and the payment is not returned. */
async function closeAdoptedPayment(tx: Tx, paymentKey: string): Promise<void> {
  await setUnmatchedStatus(tx, paymentKey, 'matched')
  await closeIntent(tx, `return_stray:${paymentKey}`, 'voided')
}

function unmatchedHold(event: FundedEvent, payable: Payable | undefined): UnmatchedPayment {
  return {
    key: businessKey(event),
    kind: 'hold',
    orderId: payable?.id ?? null,
    payer: event.payer,
    nonce: event.nonce,
    amountMicros: event.terms.amount,
    txHash: event.place.txHash,
    terms: event.terms,
  }
}
