import { sql } from 'kysely'
import { urnString } from '../../../protocol/urn.ts'
import type { CallContext } from '../../context.ts'
import { audit } from '../../platform/audit/audit.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { readAppealStatements } from '../disputes/queries.ts'
import { readRecord } from '../disputes/record.ts'
import { latestVerdict } from '../disputes/verdicts.ts'
import { listCaseDeliveries } from './deliveries.ts'
import { lockOpenReview } from './find.ts'

/**
 * Reads a case as its assigned reviewer: the frozen facts, and what both sides said, under "buyer" and "seller". Each read
 * is an audit entry that both parties see. Throws 404 for every other operator, 409 unless it is in review or awaits a look at flagged text.
 */
export async function readCase(tx: Tx, call: CallContext, disputeId: string) {
  const { order, dispute, review } = await lockOpenReview(tx, call, disputeId)
  await sql`update market.reviews set read_at = coalesce(read_at, market.now()) where id = ${review.id}`.execute(tx)
  await audit(tx, {
    actor: urnString('human', call.actor.humanId),
    action: 'review.read',
    subject: urnString('order', order.id),
    details: { dispute_urn: urnString('dispute', dispute.id) },
  })
  return {
    dispute,
    priceMicros: order.price_micros,
    record: await readRecord(tx, dispute.id),
    statements: await tx
      .selectFrom('market.dispute_statements')
      .selectAll()
      .where('dispute_id', '=', dispute.id)
      .orderBy('created_at')
      .execute(),
    rejections: await tx
      .selectFrom('market.rejections')
      .selectAll()
      .where('order_id', '=', order.id)
      .orderBy('number')
      .execute(),
    messages: (
      await tx
        .selectFrom('market.messages')
        .select(['id', 'sender_id', 'kind', 'body', 'created_at'])
        .where('thread_id', '=', order.thread_id)
        .orderBy('id')
        .execute()
    ).map(({ sender_id, ...message }) => ({
      ...message,
      author: sender_id === order.buyer_id ? ('buyer' as const) : ('seller' as const),
    })),
    deliveries: await listCaseDeliveries(tx, dispute),
    appealStatements: await readAppealStatements(tx, dispute.id),
    standing: await latestVerdict(tx, dispute.id),
  }
}

/** A case as a reviewer reads it. */
export type ReviewCase = Awaited<ReturnType<typeof readCase>>
