import type { Address, Hex } from 'viem'
import type { Settings } from '../../context.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { closeIntent } from '../chain/intents.ts'
import { failAuthorization } from '../escrow/authorizations.ts'
import { openHold } from '../escrow/fund.ts'
import type { PaymentIdentity } from '../escrow/payerAttribution.ts'
import { lockOrderRow, type OrderRow } from '../escrow/queries.ts'
import { returnPayment, type StrayPaymentRow, setStrayStatus } from '../escrow/strayPayments.ts'
import { matchedPosting } from '../ledger/custody.ts'
import { post } from '../ledger/post.ts'
import { adoptionKey } from './internal/adoptionKey.ts'
import { requestAdoption } from './internal/payment.ts'

/**
 * Uses the parked payment of exactly this authorization, if there is one: it funds the order, or its adoption
 * is requested, and nothing needs to be submitted. The order must be locked and await payment, and the
 * authorization be on file. Returns false if no such payment is parked.
 */
export async function matchParkedPayment(
  tx: Tx,
  settings: Settings,
  order: OrderRow,
  payment: PaymentIdentity,
): Promise<boolean> {
  const parked = await tx
    .selectFrom('market.unmatched_payments')
    .selectAll()
    .where('order_id', '=', order.id)
    .where('payer', '=', payment.payer)
    .where('nonce', '=', payment.nonce)
    .where('status', '=', 'waiting')
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!parked) return false
  const { key, kind, amount_micros: amountMicros, tx_hash: txHash } = parked
  if (kind === 'escrow_payment') {
    const { payer, nonce } = payment
    await setStrayStatus(tx, key, 'adopting')
    await requestAdoption(tx, order, { payer: payer as Address, nonce: nonce as Hex, txHash: txHash as Hex })
    return true
  }
  await setStrayStatus(tx, key, 'matched')
  if (kind === 'wallet_payment') await post(tx, matchedPosting(settings.chain, order.id, key, amountMicros))
  const holdId = kind === 'hold' ? key.slice('funded:'.length) : null
  await openHold(tx, settings, order, { ...payment, amountMicros, txHash, holdId })
  return true
}

/**
 * Returns a parked payment to its payer if its order no longer awaits payment. Returns false if it still
 * does, or the payment is no longer parked. If the contract adopts the payment meanwhile, `settle` rejects
 * that hold.
 */
export async function refundParkedPayment(
  tx: Tx,
  settings: Pick<Settings, 'chain' | 'rules'>,
  key: string,
): Promise<boolean> {
  const found = await tx
    .selectFrom('market.unmatched_payments')
    .select('order_id')
    .where('key', '=', key)
    .executeTakeFirst()
  if (!found?.order_id) return false
  const order = await lockOrderRow(tx, found.order_id)
  const parked = await lockParked(tx, key)
  if (!parked || order?.state === 'placed') return false
  await returnPayment(tx, settings, parked)
  return true
}

/**
 * Returns a payment whose adoption has ended, and fails its authorization. The order stays unpaid: another
 * wallet may pay it until its offer ends. Returns false if the payment is no longer being adopted.
 */
export async function endAdoption(
  tx: Tx,
  settings: Pick<Settings, 'chain' | 'rules'>,
  orderId: string,
  payment: PaymentIdentity,
): Promise<boolean> {
  await lockOrderRow(tx, orderId)
  const parked = await lockParked(tx, `payment:${payment.payer}:${payment.nonce}`)
  if (parked?.status !== 'adopting') return false
  await closeIntent(tx, adoptionKey(payment), 'failed')
  await failAuthorization(tx, payment, 'adoption_ended')
  await returnPayment(tx, settings, parked)
  return true
}

async function lockParked(tx: Tx, key: string): Promise<StrayPaymentRow | undefined> {
  return tx
    .selectFrom('market.unmatched_payments')
    .selectAll()
    .where('key', '=', key)
    .where('status', 'in', ['waiting', 'adopting'])
    .forNoKeyUpdate()
    .executeTakeFirst()
}
