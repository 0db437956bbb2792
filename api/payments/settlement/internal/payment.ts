import type { Address, Hex } from 'viem'
import type { Settings } from '../../../context.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { lockFeeWithNonce } from '../../appealFees/find.ts'
import { receiveAppealFee } from '../../appealFees/receive.ts'
import { businessKey, type PaymentEvent, type TransferEvent } from '../../chain/evidence.ts'
import { requestIntent } from '../../chain/intents.ts'
import { recordDeposit } from '../../escrow/deposits.ts'
import { openHold } from '../../escrow/fund.ts'
import { attributePayer, lockPaidFor, type PayerAttribution, paidForOrder } from '../../escrow/payerAttribution.ts'
import type { OrderRow } from '../../escrow/queries.ts'
import { parkPayment, rejectPayment, type StrayPayment } from '../../escrow/strayPayments.ts'
import { holdTerms } from '../../escrow/terms.ts'
import { depositPosting, strayPosting } from '../../ledger/contract.ts'
import { post } from '../../ledger/post.ts'
import { recordRefill } from '../../reserve/record.ts'
import { adoptionKey } from './adoptionKey.ts'

/**
 * Records a signed payment into the escrow or the hot wallet. A payment that opened a hold is left to that
 * hold's own event. One that pays an order exactly, from its buyer, becomes its deposit, or is adopted into
 * its hold; one that pays an appeal's fee is held for its dispute. Any other is stray.
 */
export async function recordPayment(tx: Tx, settings: Settings, event: PaymentEvent): Promise<void> {
  if (event.holdId !== null || (await recordRefill(tx, settings, event))) return
  const isDeposit = event.to === settings.chain.hotWallet.toLowerCase()
  if (isDeposit) await recordDeposit(tx, settings.chain, event)
  const payment = { payer: event.from, nonce: event.nonce }
  const named = await lockPaidFor(tx, payment)
  if (isDeposit && !named && (await recordFeePayment(tx, settings, event))) return
  const order = named && isExact(named, event) ? named : undefined
  const attribution = order?.state === 'placed' ? await attributePayer(tx, paidForOrder(order), payment) : 'stranger'
  if (order && attribution === 'buyer' && isDeposit) {
    await post(tx, depositPosting(settings.chain, event, order.id))
    const { amountMicros, place } = event
    await openHold(tx, settings, order, { ...payment, amountMicros, txHash: place.txHash, holdId: null })
    return
  }
  await post(tx, strayPosting(settings.chain, event))
  const stray = strayPayment(event, isDeposit, order?.id)
  await placeStray(tx, settings, stray, { order, attribution })
}

/** Adopts a payment into its payable's hold, parks it for its buyer to file, or returns it. */
async function placeStray(
  tx: Tx,
  settings: Pick<Settings, 'chain' | 'rules'>,
  stray: StrayPayment,
  { order, attribution }: { order: OrderRow | undefined; attribution: PayerAttribution },
): Promise<void> {
  const { payer, nonce, txHash } = stray
  if (order && attribution === 'buyer' && nonce) {
    await parkPayment(tx, stray, 'adopting')
    await requestAdoption(tx, order, { payer, nonce, txHash })
  } else if (order && attribution === 'unknown') await parkPayment(tx, stray, 'waiting')
  else await rejectPayment(tx, settings, stray)
}

/**
 * Records a payment that has the nonce of an appeal's fee: as that, or to be returned. Returns false for any
 * other.
 */
async function recordFeePayment(tx: Tx, settings: Settings, event: PaymentEvent): Promise<boolean> {
  const locked = await lockFeeWithNonce(tx, event.nonce)
  if (!locked) return false
  if (await receiveAppealFee(tx, settings, event, locked)) return true
  await post(tx, strayPosting(settings.chain, event))
  await rejectPayment(tx, settings, strayPayment(event, true, locked.order.id))
  return true
}

/**
 * Returns whether recipient and amount are the requested ones. The payer may be neither payee nor fee
 * recipient; the contract rejects that.
 */
function isExact(order: OrderRow, { from, to, amountMicros }: PaymentEvent): boolean {
  const isRight = order.recipient === to && order.price_micros === amountMicros
  return isRight && from !== order.payee && from !== order.fee_recipient
}

/**
 * Records tokens that reached the escrow or the hot wallet by a plain transfer. Their owner is unknown, so
 * they are booked in suspense.
 */
export async function recordTransfer(
  tx: Tx,
  settings: Pick<Settings, 'chain' | 'reserve' | 'rules'>,
  event: TransferEvent,
): Promise<void> {
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
 * Requests that a payment of the exact amount, made without the contract's `fund`, is adopted into the
 * payable's hold.
 */
export async function requestAdoption(
  tx: Tx,
  order: OrderRow,
  { payer, nonce, txHash }: { payer: Address; nonce: Hex; txHash: Hex },
): Promise<void> {
  const payment = { from: payer, nonce, amount: order.price_micros, txHash }
  const intent = { key: adoptionKey({ payer, nonce }), orderId: order.id }
  await requestIntent(tx, intent, { kind: 'adopt', terms: holdTerms(order), payment })
}

function strayPayment(event: PaymentEvent, isDeposit: boolean, orderId: string | undefined): StrayPayment {
  return {
    key: businessKey(event),
    kind: isDeposit ? 'wallet_payment' : 'escrow_payment',
    orderId: orderId ?? null,
    payer: event.from,
    nonce: event.nonce,
    amountMicros: event.amountMicros,
    txHash: event.place.txHash,
  }
}
