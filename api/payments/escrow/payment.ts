import type { Address, Hex } from 'viem'
import type { Settings } from '../../context.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { requestIntent } from '../chain/intents.ts'
import { depositPosting, strayPosting } from '../ledger/contract.ts'
import { post } from '../ledger/post.ts'
import { recordRefill } from '../reserve/record.ts'
import { adoptionKey } from './adoptionKey.ts'
import { recordDeposit } from './deposits.ts'
import { businessKey, type PaymentEvent, type TransferEvent } from './evidence.ts'
import { openHold } from './openHold.ts'
import { type Payable, termsOf } from './payable.ts'
import { attributePayer, lockPaidFor } from './payerAttribution.ts'
import { parkPayment, rejectPayment, type UnmatchedPayment } from './unmatchedPayments.ts'

/**
 * Records a signed payment into the escrow or the hot wallet. A payment that opened a hold is left to that hold's own
 * event. One that pays a payable exactly, from its buyer, becomes its deposit, or is adopted into its hold. Any other
 * is unmatched.
 */
export async function recordPayment(tx: Tx, settings: Settings, event: PaymentEvent): Promise<void> {
  if (event.holdId !== null || (await recordRefill(tx, settings, event))) return
  const isDeposit = event.to === settings.chain.hotWallet.toLowerCase()
  if (isDeposit) await recordDeposit(tx, settings.chain, event)
  const payment = { payer: event.from, nonce: event.nonce }
  const named = await lockPaidFor(tx, payment)
  const payable = named && isExact(named, event) ? named : undefined
  const attribution = payable?.isAwaitingPayment ? await attributePayer(tx, payable, payment) : 'stranger'
  if (payable && attribution === 'buyer' && isDeposit) {
    await post(tx, depositPosting(settings.chain, event, payable.id))
    const { amountMicros, place } = event
    await openHold(tx, settings, payable, { ...payment, amountMicros, txHash: place.txHash, holdId: null })
    return
  }
  await post(tx, strayPosting(settings.chain, event))
  const unmatched = unmatchedPayment(event, isDeposit, payable)
  if (payable && attribution === 'buyer') {
    await parkPayment(tx, unmatched, 'adopting')
    await requestAdoption(tx, payable, { ...payment, txHash: event.place.txHash })
  } else if (payable && attribution === 'unclaimed') await parkPayment(tx, unmatched, 'waiting')
  else await rejectPayment(tx, settings, unmatched)
}

/**
 * Returns whether recipient and amount are the requested ones. The payer may be neither payee nor fee recipient; the
 * contract rejects that.
 */
function isExact(payable: Payable, { from, to, amountMicros }: PaymentEvent): boolean {
  const isRight = payable.recipient === to && payable.amountMicros === amountMicros
  return isRight && from !== payable.payee && from !== payable.feeRecipient
}

/**
 * Records tokens that reached the escrow or the hot wallet by a plain transfer. Their owner is unknown, so they are
 * booked in suspense.
 */
export async function recordTransfer(tx: Tx, settings: Settings, event: TransferEvent): Promise<void> {
  if (await recordRefill(tx, settings, event)) return
  await post(tx, strayPosting(settings.chain, event))
  await rejectPayment(tx, settings, {
    key: businessKey(event),
    kind: 'transfer',
    orderId: null,
    payer: event.from,
    nonce: null,
    amountMicros: event.amountMicros,
    txHash: event.place.txHash,
  })
}

/**
 * Requests that a payment of the exact amount, made without the contract's `fund`, is adopted into the payable's hold.
 */
export async function requestAdoption(
  tx: Tx,
  payable: Payable,
  { payer, nonce, txHash }: { payer: Address; nonce: Hex; txHash: Hex },
): Promise<void> {
  const payment = { from: payer, nonce, amount: payable.amountMicros, txHash }
  const intent = { key: adoptionKey({ payer, nonce }), orderId: payable.id }
  await requestIntent(tx, intent, { kind: 'adopt', terms: termsOf(payable), payment })
}

function unmatchedPayment(event: PaymentEvent, isDeposit: boolean, payable: Payable | undefined): UnmatchedPayment {
  return {
    key: businessKey(event),
    kind: isDeposit ? 'wallet_payment' : 'escrow_payment',
    orderId: payable?.id ?? null,
    payer: event.from,
    nonce: event.nonce,
    amountMicros: event.amountMicros,
    txHash: event.place.txHash,
  }
}
