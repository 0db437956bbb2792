import type { Address, Hex } from 'viem'
import type { Settings } from '../context.ts'
import type { Tx } from '../db/pool.ts'
import { matchedPosting } from '../ledger/custody.ts'
import { post } from '../ledger/post.ts'
import { lockOrderRow, type OrderRow } from '../orders/find.ts'
import { payOrder } from './pay.ts'
import { requestAdoption } from './payment.ts'
import type { PaymentIdentity } from './standing.ts'
import { returnStray, type StrayRow, setStrayStatus } from './strays.ts'

/**
 * Takes the payment that was kept waiting for exactly this authorization, if there is one: the order is funded with it,
 * or it is about to be adopted, and nothing needs to be submitted. The order must be locked and placed, and the
 * authorization on file. False where nothing waits.
 */
export async function matchWaiting(
  tx: Tx,
  settings: Settings,
  order: OrderRow,
  payment: PaymentIdentity,
): Promise<boolean> {
  const stray = await tx
    .selectFrom('market.strays')
    .selectAll()
    .where('order_id', '=', order.id)
    .where('payer', '=', payment.payer)
    .where('nonce', '=', payment.nonce)
    .where('status', '=', 'waiting')
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!stray) return false
  if (stray.kind === 'escrow_payment') {
    const { payer, nonce } = payment
    await setStrayStatus(tx, stray.key, 'adopting')
    await requestAdoption(tx, order, { payer: payer as Address, nonce: nonce as Hex, txHash: stray.tx_hash as Hex })
    return true
  }
  await setStrayStatus(tx, stray.key, 'matched')
  const { amount_micros: amountMicros, tx_hash: txHash } = stray
  if (stray.kind === 'wallet_payment') await post(tx, matchedPosting(settings.chain, order.id, stray.key, amountMicros))
  const holdId = stray.kind === 'hold' ? stray.key.slice('funded:'.length) : null
  await payOrder(tx, order, { ...payment, amountMicros, txHash, holdId })
  return true
}

/**
 * Sends money back that was kept for an order which is not to be paid any more, or was paid by another payment. False
 * where it is kept on, or went already. A hold that the contract makes of it meanwhile is turned away when it is told.
 */
export async function refundKept(tx: Tx, settings: Settings, strayKey: string): Promise<boolean> {
  const found = await tx.selectFrom('market.strays').select('order_id').where('key', '=', strayKey).executeTakeFirst()
  if (!found?.order_id) return false
  const order = await lockOrderRow(tx, found.order_id)
  const stray = await lockKept(tx, strayKey)
  if (!stray || order?.state === 'placed') return false
  await returnStray(tx, settings, stray)
  return true
}

async function lockKept(tx: Tx, key: string): Promise<StrayRow | undefined> {
  return tx
    .selectFrom('market.strays')
    .selectAll()
    .where('key', '=', key)
    .where('status', 'in', ['waiting', 'adopting'])
    .forNoKeyUpdate()
    .executeTakeFirst()
}
