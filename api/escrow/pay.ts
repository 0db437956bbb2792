import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { urnString } from '../../protocol/urn.ts'
import { audit } from '../db/audit.ts'
import { settleFundingIntents } from '../db/intents.ts'
import type { Tx } from '../db/pool.ts'
import type { OrderRow } from '../orders/find.ts'
import { transition } from '../orders/transition.ts'
import { openReceipt } from '../receipts/open.ts'
import { openThread } from '../threads/open.ts'
import type { PaymentIdentity } from './standing.ts'

/** The payment that funds an order: how the token names it, its transaction, and in contract mode its hold. */
export interface OrderPayment extends PaymentIdentity {
  amountMicros: bigint
  txHash: string
  holdId: string | null
}

/**
 * The order is paid (spec 3.1): its hold exists, its thread and receipt open, the time to deliver begins, its
 * authorization is settled and nothing else is asked of the chain to pay it. The order must be locked and placed.
 */
export async function payOrder(tx: Tx, order: OrderRow, payment: OrderPayment): Promise<void> {
  await tx
    .insertInto('market.holds')
    .values({
      id: uuidv7(),
      order_id: order.id,
      status: 'held',
      payer: payment.payer,
      amount_micros: payment.amountMicros,
      deposit_nonce: payment.nonce,
      deposit_tx: payment.txHash,
      hold_key: payment.holdId,
    })
    .execute()
  await settleAuthorization(tx, order.id, payment)
  await settleFundingIntents(tx, order.id)
  await transition(tx, order.id, 'fund', {
    thread_id: await openThread(tx, order),
    receipt_id: await openReceipt(tx, order.id),
    funded_at: sql`market.now()`,
    sla_due_at: sql`market.now() + make_interval(secs => ${order.sla_seconds})`,
  })
  await audit(tx, {
    actor: 'service',
    action: 'order.funded',
    subject: urnString('order', order.id),
    details: { payer: payment.payer, nonce: payment.nonce, tx_hash: payment.txHash },
  })
}

/** At most one authorization of an order is alive, so the others go first: another wallet's, which did not pay. */
async function settleAuthorization(tx: Tx, orderId: string, { payer, nonce }: PaymentIdentity): Promise<void> {
  const ofOrder = tx.updateTable('market.authorizations').where('order_id', '=', orderId)
  await ofOrder
    .set({ state: 'failed' })
    .where('state', '=', 'pending')
    .where((row) => row.not(row.and([row('payer', '=', payer), row('nonce', '=', nonce)])))
    .execute()
  await ofOrder.set({ state: 'settled' }).where('payer', '=', payer).where('nonce', '=', nonce).execute()
}
