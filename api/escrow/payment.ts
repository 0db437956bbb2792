import type { Address, Hex } from 'viem'
import type { Settings } from '../context.ts'
import { requestIntent } from '../db/intents.ts'
import type { Tx } from '../db/pool.ts'
import { depositPosting, strayPosting } from '../ledger/contract.ts'
import { post } from '../ledger/post.ts'
import type { OrderRow } from '../orders/find.ts'
import { orderTerms } from '../orders/terms.ts'
import { recordRefill } from '../reserve/record.ts'
import { recordDeposit } from './deposits.ts'
import { businessKey, type PaymentEvent, type TransferEvent } from './evidence.ts'
import { payOrder } from './pay.ts'
import { orderOfPayment, payerStanding } from './standing.ts'
import { keepFor, type Stray, turnAway } from './strays.ts'

/**
 * A signed payment reached the escrow or the hot wallet. One that is a hold already says nothing new. One that pays a
 * placed order exactly, from its buyer, is its deposit, or is adopted into its hold; anything else is stray.
 */
export async function recordPayment(tx: Tx, settings: Settings, event: PaymentEvent): Promise<void> {
  if (event.holdId !== null || (await recordRefill(tx, settings, event))) return
  const isDeposit = event.to === settings.chain.hotWallet.toLowerCase()
  if (isDeposit) await recordDeposit(tx, settings.chain, event)
  const payment = { payer: event.from, nonce: event.nonce }
  const order = await orderOfPayment(tx, payment)
  const asked = order && isAsked(order, event) ? order : undefined
  const standing = asked?.state === 'placed' ? await payerStanding(tx, asked, payment) : 'stranger'
  if (asked && standing === 'buyer' && isDeposit) {
    await post(tx, depositPosting(settings.chain, event, asked.id))
    const { amountMicros, place } = event
    await payOrder(tx, asked, { ...payment, amountMicros, txHash: place.txHash, holdId: null })
    return
  }
  await post(tx, strayPosting(settings.chain, event))
  const stray = strayPayment(event, isDeposit, asked)
  if (asked && standing === 'buyer') {
    await keepFor(tx, stray, 'adopting')
    await requestAdoption(tx, asked, { ...payment, txHash: event.place.txHash })
  } else if (asked && standing === 'unclaimed') await keepFor(tx, stray, 'waiting')
  else await turnAway(tx, settings, stray)
}

/** Whether a payment is what an order asks for. Nobody it pays to can pay it: the contract would never take that. */
function isAsked(order: OrderRow, { from, to, amountMicros }: PaymentEvent): boolean {
  const isRight = order.recipient === to && order.price_micros === amountMicros
  return isRight && from !== order.payee && from !== order.fee_recipient
}

/** Tokens reached the escrow or the hot wallet unsigned: whose they are nobody can tell, so they are kept apart. */
export async function recordTransfer(tx: Tx, settings: Settings, event: TransferEvent): Promise<void> {
  if (await recordRefill(tx, settings, event)) return
  await post(tx, strayPosting(settings.chain, event))
  await turnAway(tx, settings, {
    key: businessKey(event),
    kind: 'transfer',
    orderId: null,
    payer: event.from,
    nonce: null,
    amountMicros: event.amountMicros,
    txHash: event.place.txHash,
  })
}

/** Asks for a payment of an order's price that went past the contract's `fund` to be made the order's hold. */
export async function requestAdoption(
  tx: Tx,
  order: OrderRow,
  { payer, nonce, txHash }: { payer: Address; nonce: Hex; txHash: Hex },
): Promise<void> {
  await requestIntent(tx, `adopt:${payer}:${nonce}`, order.id, {
    kind: 'adopt',
    terms: orderTerms(order),
    payment: { from: payer, nonce, amount: order.price_micros, txHash },
  })
}

function strayPayment(event: PaymentEvent, isDeposit: boolean, order: OrderRow | undefined): Stray {
  return {
    key: businessKey(event),
    kind: isDeposit ? 'wallet_payment' : 'escrow_payment',
    orderId: order?.id ?? null,
    payer: event.from,
    nonce: event.nonce,
    amountMicros: event.amountMicros,
    txHash: event.place.txHash,
  }
}
