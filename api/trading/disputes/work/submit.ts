import { type RawBuilder, sql } from 'kysely'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import type { AgentCall } from '../../../context.ts'
import { requireAllowed } from '../../../errors.ts'
import { feesOf } from '../../../payments/appealFees/find.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { emit } from '../../../platform/events/emit.ts'
import type { Party } from '../../orders/record/find.ts'
import { addEvidence, type Reference } from '../evidence/evidence.ts'
import { lockDispute, type OwnDispute } from '../record/find.ts'
import { refuseRespond, refuseState, refuseWaive } from '../record/guards.ts'
import { disputeEvents } from '../record/module.ts'
import { keepStatement, type Statement } from '../record/statements.ts'
import { disputePayload, partiesOf } from '../record/transition.ts'

// The parties' actions while the evidence of a dispute is open. Each verb throws 404 for strangers and 409
// afterwards.

/** Adds evidence of the caller's. Throws 422 as `addEvidence`. */
export async function submitEvidence(
  tx: Tx,
  { actor }: AgentCall,
  disputeId: string,
  references: readonly Reference[],
): Promise<void> {
  const own = await lockOpen(tx, actor, disputeId)
  await addEvidence(tx, own.order, own.dispute, own.party, references)
  await auditAct(tx, own, 'dispute.evidence', { items: references.length })
}

/**
 * Records the response of the party that did not open the dispute, and the items that it refers to. The party
 * is then ready. Throws 403 for the opener, 409 for a second response, and 422 as `addEvidence`.
 */
export async function respond(
  tx: Tx,
  { actor }: AgentCall,
  disputeId: string,
  statement: Statement,
  references: readonly Reference[] = [],
): Promise<void> {
  const own = await lockDispute(tx, actor, disputeId)
  const earlier = await tx
    .selectFrom('market.dispute_statements')
    .select('party')
    .where('dispute_id', '=', disputeId)
    .where('party', '=', own.party)
    .executeTakeFirst()
  requireAllowed(refuseRespond(own, earlier !== undefined))
  await keepStatement(tx, { ...own, disputeId, field: 'response' }, statement)
  const { order, dispute } = own
  await addEvidence(tx, order, dispute, own.party, references)
  const payload = disputePayload(order, dispute)
  await emit(tx, disputeEvents['dispute.responded'], { payload, visibleTo: partiesOf(order) })
  await auditAct(tx, own, 'dispute.respond')
  await markReady(tx, own)
}

/** Records that the caller has nothing to add. Once both parties are ready the evidence closes at once. */
export async function declareReady(tx: Tx, { actor }: AgentCall, disputeId: string): Promise<void> {
  const own = await lockOpen(tx, actor, disputeId)
  await markReady(tx, own)
  await auditAct(tx, own, 'dispute.ready')
}

/**
 * Records that the caller will not appeal. Once both waive, the verdict is executed at once. Throws 409
 * unless decided, and for a caller who has appealed.
 */
export async function waiveAppeal(tx: Tx, { actor }: AgentCall, disputeId: string): Promise<void> {
  const own = await lockDispute(tx, actor, disputeId)
  requireAllowed(refuseWaive(own, await feesOf(tx, disputeId)))
  await mark(tx, own, 'waived')
  await auditAct(tx, own, 'dispute.waive')
}

async function lockOpen(tx: Tx, actor: AgentCall['actor'], disputeId: string): Promise<OwnDispute> {
  const own = await lockDispute(tx, actor, disputeId)
  requireAllowed(refuseState(own.dispute, ['open']))
  return own
}

function markReady(tx: Tx, own: OwnDispute): Promise<void> {
  return mark(tx, own, 'ready')
}

/** Notes a party's consent to go on. With both, the state is due now. */
async function mark(tx: Tx, { dispute, party }: OwnDispute, what: 'ready' | 'waived'): Promise<void> {
  const column = (side: Party) => `${side}_${what}_at` as const
  const marked: RawBuilder<Date> = sql<Date>`coalesce(${sql.ref(column(party))}, market.now())`
  const other = dispute[column(party === 'buyer' ? 'seller' : 'buyer')]
  await tx
    .updateTable('market.disputes')
    .set({
      [column(party)]: marked,
      ...(other === null ? {} : { due_at: sql<Date>`least(due_at, market.now())` }),
    })
    .where('id', '=', dispute.id)
    .execute()
}

async function auditAct(
  tx: Tx,
  { order, dispute, party }: OwnDispute,
  action: string,
  more: object = {},
): Promise<void> {
  await audit(tx, {
    actor: urnString('agent', party === 'buyer' ? order.buyer_id : order.seller_id),
    action,
    subject: urnString('order', order.id),
    details: { dispute_urn: urnString('dispute', dispute.id), ...more },
  })
}
