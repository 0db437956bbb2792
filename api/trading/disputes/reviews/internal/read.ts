import { sql } from 'kysely'
import { urnString } from '../../../../../protocol/encoding/urn.ts'
import type { CallContext } from '../../../../context.ts'
import { audit } from '../../../../platform/audit/audit.ts'
import type { Tx } from '../../../../platform/db/pool.ts'
import { readMeasures } from '../../../criteria/read.ts'
import { readBaseline } from '../../../orders/record/baseline.ts'
import type { OrderRow } from '../../../orders/record/find.ts'
import { lockOpenReview, type OwnReview } from '../../assignment/find.ts'
import { readRecord } from '../../facts/record.ts'
import { opened } from '../../facts/texts.ts'
import { filesOf } from '../../record/evidenceFiles.ts'
import { REVIEW_ACTIONS, type ReviewAction, refuseClear, refuseDecide } from '../../record/guards.ts'
import { readAppealStatements } from '../../record/queries.ts'
import { latestVerdict } from '../../record/verdicts.ts'
import { listCaseDeliveries } from './deliveries.ts'

/**
 * Reads a case as its assigned reviewer: the agreement, the frozen facts, and the texts of both sides, under
 * "buyer" and "seller". Each read is an audit entry that both parties see. Throws 404 for every other
 * operator, 409 unless it is in review or awaits a look at flagged text.
 */
export async function readCase(tx: Tx, call: CallContext, disputeId: string) {
  const own = await lockOpenReview(tx, call, disputeId)
  const { order, dispute, review } = own
  await sql`update market.reviews set read_at = coalesce(read_at, market.now()) where id = ${review.id}`.execute(tx)
  await audit(tx, {
    actor: urnString('human', call.actor.humanId),
    action: 'review.read',
    subject: urnString('order', order.id),
    details: { dispute_urn: urnString('dispute', dispute.id) },
  })
  return {
    dispute,
    may: mayOfReview(own),
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
    agreed: {
      description: (await readBaseline(tx, order)).description,
      criteria: (await readMeasures(tx, [order.id])).get(order.id)?.criteria ?? [],
    },
    messages: await readMessages(tx, order),
    deliveries: await listCaseDeliveries(tx, dispute),
    files: await filesOf(tx, dispute.id),
    appealStatements: await readAppealStatements(tx, dispute.id),
    standing: await latestVerdict(tx, dispute.id),
  }
}

/** Returns the actions that the reviewer may take in the case now, by the rules of the verbs. */
function mayOfReview(own: OwnReview): ReviewAction[] {
  const refusals = { clear: refuseClear(own), decide: refuseDecide(own, own.review.decided_at !== null) }
  return REVIEW_ACTIONS.filter((action) => refusals[action] === undefined)
}

/** Reads the thread; of a sealed one, the disclosed messages. */
async function readMessages(tx: Tx, order: OrderRow) {
  const rows = await tx
    .selectFrom('market.messages as message')
    .leftJoin('market.disclosures as disclosure', 'disclosure.message_id', 'message.id')
    .selectAll('message')
    .select('disclosure.key')
    .where('message.thread_id', '=', order.thread_id)
    .orderBy('message.id')
    .execute()
  return Promise.all(
    rows.map(async ({ key, ...message }) => {
      const { body, payload } = (key === null ? undefined : await opened(message, key)) ?? message
      const author = message.sender_id === order.buyer_id ? ('buyer' as const) : ('seller' as const)
      return { author, kind: message.kind, body, payload, created_at: message.created_at }
    }),
  )
}

/** A case as a reviewer reads it. */
export type ReviewCase = Awaited<ReturnType<typeof readCase>>
