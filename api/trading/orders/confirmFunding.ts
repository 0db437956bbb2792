import { sql } from 'kysely'
import { urnString } from '../../../protocol/urn.ts'
import type { Settings } from '../../context.ts'
import type { HoldFunded } from '../../payments/escrow/facts.ts'
import { audit } from '../../platform/audit/audit.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { announce } from '../../platform/facts/announce.ts'
import { openReceipt } from '../receipts/open.ts'
import { openThread } from '../threads/open.ts'
import { OrderFunded } from './facts.ts'
import { lockOrderRow } from './find.ts'
import { transition } from './transition.ts'

/**
 * Marks an order as funded (spec 3.1): opens its thread and its receipt, and starts the time to deliver. Throws
 * orders/state-conflict unless the order is placed.
 */
export async function confirmFunding(
  tx: Tx,
  settings: Settings,
  { payable, payer, nonce, txHash }: HoldFunded,
): Promise<void> {
  const order = await lockOrderRow(tx, payable.id)
  if (!order) throw new Error(`there is no order ${payable.id}`)
  const funded = await transition(tx, order.id, 'fund', {
    thread_id: await openThread(tx, order),
    receipt_id: await openReceipt(tx, order.id),
    funded_at: sql`market.now()`,
    sla_due_at: sql`market.now() + make_interval(secs => ${order.sla_seconds})`,
  })
  await audit(tx, {
    actor: 'service',
    action: 'order.funded',
    subject: urnString('order', order.id),
    details: { payer, nonce, tx_hash: txHash },
  })
  await announce(tx, settings, OrderFunded, { order: funded })
}
