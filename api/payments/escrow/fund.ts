import { newId } from '../../../protocol/encoding/ids.ts'
import type { Settings } from '../../context.ts'
import { announce } from '../../platform/announcements/announce.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { businessKey, type FundedEvent } from '../chain/evidence.ts'
import { closeFundingIntents, closeIntent } from '../chain/intents.ts'
import { fundedPosting } from '../ledger/contract.ts'
import { post } from '../ledger/post.ts'
import { HoldFunded } from './announcements.ts'
import { attributePayer, lockPaidFor, type PaymentIdentity, paidForOrder } from './payerAttribution.ts'
import type { OrderRow } from './queries.ts'
import { parkPayment, rejectPayment, type StrayPayment, setStrayStatus } from './strayPayments.ts'

/**
 * The contract opened a hold. The hold funds the order with its terms if that order awaits payment and the
 * payer is a wallet of its buyer. A hold of a stranger, a late one, or one with terms that were never offered
 * is refunded; the order is unchanged.
 */
export async function recordFunding(tx: Tx, settings: Settings, event: FundedEvent): Promise<void> {
  const payment = { payer: event.payer, nonce: event.nonce }
  await post(tx, fundedPosting(settings.chain, event))
  if (event.adopted) await closeAdoptedPayment(tx, `payment:${event.payer}:${event.nonce}`)
  const order = await lockPaidFor(tx, payment)
  if (order?.escrow_mode !== 'contract' || order.nonce !== event.nonce) {
    await rejectPayment(tx, settings, unmatchedHold(event, undefined))
    return
  }
  const attribution = order.state === 'placed' ? await attributePayer(tx, paidForOrder(order), payment) : 'stranger'
  if (attribution === 'buyer') {
    const { amount: amountMicros } = event.terms
    await openHold(tx, settings, order, {
      ...payment,
      amountMicros,
      txHash: event.place.txHash,
      holdId: event.holdId,
    })
  } else if (attribution === 'unknown') {
    await parkPayment(tx, unmatchedHold(event, order), 'waiting')
  } else {
    await rejectPayment(tx, settings, unmatchedHold(event, order))
  }
}

/**
 * The contract turned a payment into a hold: from here on the hold is tracked, and the payment is not
 * returned.
 */
async function closeAdoptedPayment(tx: Tx, paymentKey: string): Promise<void> {
  await setStrayStatus(tx, paymentKey, 'matched')
  await closeIntent(tx, `return_stray:${paymentKey}`, 'voided')
}

function unmatchedHold(event: FundedEvent, order: OrderRow | undefined): StrayPayment {
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

/**
 * The payment that funds an order: how the token names it, its transaction, and in contract mode its hold.
 */
export interface FundingPayment extends PaymentIdentity {
  amountMicros: bigint
  txHash: string
  holdId: string | null
}

/**
 * Records that an order is paid: writes its hold, settles its authorization, closes the intents to get it
 * paid, and announces HoldFunded. The order must be locked and await payment.
 */
export async function openHold(tx: Tx, settings: Settings, order: OrderRow, payment: FundingPayment): Promise<void> {
  const { payer, nonce, txHash } = payment
  await tx
    .insertInto('market.holds')
    .values({
      id: newId(),
      order_id: order.id,
      status: 'held',
      payer,
      amount_micros: payment.amountMicros,
      deposit_nonce: nonce,
      deposit_tx: txHash,
      hold_key: payment.holdId,
    })
    .execute()
  await resolveAuthorizations(tx, order.id, payment)
  await closeFundingIntents(tx, order.id)
  await announce(tx, settings, HoldFunded, { order, payer, nonce, txHash })
}

/**
 * Settles the payer's authorization. At most one authorization of an order is not failed, so those of other
 * wallets fail first.
 */
async function resolveAuthorizations(tx: Tx, orderId: string, { payer, nonce }: PaymentIdentity): Promise<void> {
  const filed = tx.updateTable('market.authorizations').where('order_id', '=', orderId)
  await filed
    .set({ state: 'failed' })
    .where('state', '=', 'pending')
    .where((row) => row.not(row.and([row('payer', '=', payer), row('nonce', '=', nonce)])))
    .execute()
  await filed.set({ state: 'settled' }).where('payer', '=', payer).where('nonce', '=', nonce).execute()
}
