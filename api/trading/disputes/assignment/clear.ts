import { sql } from 'kysely'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import type { CallContext } from '../../../context.ts'
import { requireAllowed } from '../../../errors.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import type { OrderRow } from '../../orders/record/find.ts'
import { readRecord } from '../facts/record.ts'
import { agentOf } from '../record/find.ts'
import { refuseClear } from '../record/guards.ts'
import { transition } from '../record/transition.ts'
import { flaggedSides } from '../screener/screen.ts'
import { endAssignments } from './assign.ts'
import { lockReview } from './find.ts'

/** A reviewer's finding on text that the screener has flagged, as a reason code of the dispute. */
export const CLEARED = 'text_cleared'
const CONFIRMED = 'text_confirmed'

/**
 * Records the assigned reviewer's finding on flagged text, and passes the dispute on to the arbitrator: a
 * model may read the text, or it was meant to steer the judge. Throws 404 for every other operator, 409
 * unless the dispute awaits the finding.
 */
export async function clearText(tx: Tx, call: CallContext, disputeId: string, isHostile: boolean): Promise<void> {
  const own = await lockReview(tx, call, disputeId)
  requireAllowed(refuseClear(own))
  const { order, dispute } = own
  const { arbitrationSeconds } = call.settings.rules
  await transition(tx, dispute.id, 'arbitrate', {
    due_at: sql<Date>`market.now() + make_interval(secs => ${arbitrationSeconds})`,
    flags: sql`array_append(flags, ${isHostile ? CONFIRMED : CLEARED})`,
  })
  if (isHostile) await countHostile(tx, order, dispute.id)
  await endAssignments(tx, dispute.id)
  await audit(tx, {
    actor: urnString('human', call.actor.humanId),
    action: 'review.clear',
    subject: urnString('order', order.id),
    details: { dispute_urn: urnString('dispute', dispute.id), hostile: isHostile },
  })
}

/** Adds to the records of the flagged sides that their text was hostile. */
async function countHostile(tx: Tx, order: OrderRow, disputeId: string): Promise<void> {
  const { screening } = await readRecord(tx, disputeId)
  const authors = flaggedSides(screening).map((side) => ({ dispute_id: disputeId, author_id: agentOf(order, side) }))
  await tx.insertInto('market.hostile_texts').values(authors).execute()
}
