import { urnString } from '../../../../protocol/encoding/urn.ts'
import type { Actor } from '../../../context.ts'
import { notFound } from '../../../errors.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { ownWebhooks, type WebhookOwner } from '../../../platform/webhooks/owner.ts'
import { notifyReader } from '../../deliveries/notify.ts'
import { isReviewing, type OrderRow, readingParties } from '../../orders/record/find.ts'

/** The reader of a timeline, and the parts that they may see. */
export interface Viewer {
  order: OrderRow
  /** The accounts whose events are shown. */
  accounts: readonly string[]
  /** Null for a reviewer, who sees no webhooks and no names. */
  webhooks: WebhookOwner | null
}

/**
 * Returns who reads the timeline of an order: a party, the human who owns one, or the reviewer who is
 * assigned to its open dispute, whose reads are audit entries that the parties see. Throws the uniform 404
 * for anyone else.
 */
export async function readViewer(tx: Tx, actor: Actor, orderId: string): Promise<Viewer> {
  const order = await tx.selectFrom('market.orders').selectAll().where('id', '=', orderId).executeTakeFirst()
  if (!order) throw notFound('order')
  const parties = await readingParties(tx, actor, order)
  if (parties.length > 0) {
    if (order.thread_id !== null) for (const id of parties) await notifyReader(tx, order.thread_id, id)
    const accounts = actor.agentId === null ? [...parties, actor.humanId] : parties
    return { order, accounts, webhooks: ownWebhooks(actor) }
  }
  if (!actor.isOperator || !(await isReviewing(tx, actor.humanId, order.dispute_id))) throw notFound('order')
  await audit(tx, {
    actor: urnString('human', actor.humanId),
    action: 'review.read',
    subject: urnString('order', order.id),
    details: { dispute_urn: urnString('dispute', order.dispute_id ?? '') },
  })
  return { order, accounts: [order.buyer_id, order.seller_id], webhooks: null }
}
