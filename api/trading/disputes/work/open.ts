import { sql } from 'kysely'
import { newId } from '../../../../protocol/encoding/ids.ts'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import type { AgentCall, Settings } from '../../../context.ts'
import { groundProblems, Problem, requireAllowed } from '../../../errors.ts'
import { audit } from '../../../platform/audit/audit.ts'
import { readClock } from '../../../platform/db/clock.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { emit } from '../../../platform/events/emit.ts'
import { lockOrder, lockOrderRow, type OrderRow, type Party } from '../../orders/record/find.ts'
import { refuseDispute } from '../../orders/record/guards.ts'
import { transition as moveOrder } from '../../orders/record/transition.ts'
import { reminderAt } from '../../terms/limits.ts'
import { addEvidence, type Reference } from '../evidence/evidence.ts'
import { agentOf, type DisputeRow } from '../record/find.ts'
import { disputeEvents } from '../record/module.ts'
import { keepStatement, type Statement } from '../record/statements.ts'
import { disputePayload, partiesOf } from '../record/transition.ts'

/** A party's input when it opens a dispute. */
export interface Opening {
  orderId: string
  openerId: string
  statement: Statement
  evidence: readonly Reference[]
}

/**
 * Opens the dispute of an order for one of its parties, once a delivery was rejected: its money is frozen
 * (spec 3.1). Throws 404 for strangers, 403 unless the opener is the caller, 409 without a rejection, 422 for
 * evidence of another order.
 */
export async function openDispute(tx: Tx, { actor, settings }: AgentCall, opening: Opening): Promise<DisputeRow> {
  const { order, party } = await lockOrder(tx, actor, opening.orderId)
  if (opening.openerId !== actor.agentId) {
    throw new Problem(groundProblems.forbidden, { detail: 'opener_urn must be yourself.', field: 'opener_urn' })
  }
  requireAllowed(refuseDispute({ order, now: await readClock(tx) }))
  return open(tx, settings, order, { opener: party, actor: urnString('agent', actor.agentId), ...opening })
}

/**
 * Opens the dispute of an order whose seller let the rejection window pass, for the buyer, whose reason is
 * the statement. Returns false, changing nothing, if the window is open or the payment is gone from the
 * chain.
 */
export async function openForBuyer(tx: Tx, settings: Pick<Settings, 'rules'>, orderId: string): Promise<boolean> {
  const order = await lockOrderRow(tx, orderId)
  if (order?.state !== 'rejected' || order.suspended_at !== null) return false
  if (order.redeliver_by === null || order.redeliver_by > (await readClock(tx))) return false
  const statement = { grounds: order.reason ? (['other'] as const) : [], what_happened: order.reason ?? '' }
  await open(tx, settings, order, { opener: 'buyer', actor: 'service', statement, evidence: [] })
  return true
}

async function open(
  tx: Tx,
  settings: Pick<Settings, 'rules'>,
  order: OrderRow,
  { opener, actor, statement, evidence }: Pick<Opening, 'statement' | 'evidence'> & { opener: Party; actor: string },
): Promise<DisputeRow> {
  const id = newId()
  const disputed = await moveOrder(tx, order.id, 'dispute', {
    dispute_id: id,
    redeliver_by: null,
    // An undecided delivery is no longer accepted automatically.
    accept_by: order.state === 'delivered' ? null : order.accept_by,
  })
  const dispute = await tx
    .insertInto('market.disputes')
    .values({
      id,
      order_id: order.id,
      state: 'open',
      opener,
      due_at: sql<Date>`market.now() + make_interval(secs => ${settings.rules.disputeEvidenceSeconds})`,
      remind_at: reminderAt(settings.rules.disputeEvidenceSeconds),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await keepStatement(tx, { order, disputeId: id, party: opener, field: 'claim' }, statement)
  await addEvidence(tx, order, dispute, opener, evidence)
  await tx.updateTable('market.receipts').set({ disputed: true }).where('order_id', '=', order.id).execute()
  await announceOpened(tx, disputed, dispute, actor)
  const subject = urnString('order', order.id)
  const details = { dispute_urn: urnString('dispute', id), opener }
  await audit(tx, { actor, action: 'dispute.open', subject, details })
  return dispute
}

async function announceOpened(tx: Tx, order: OrderRow, dispute: DisputeRow, actor: string): Promise<void> {
  const payload = disputePayload(order, dispute)
  const visibleTo = partiesOf(order)
  const opener_urn = urnString('agent', agentOf(order, dispute.opener))
  const opened = { ...payload, opener_urn, ...(actor === 'service' ? {} : { actor_urn: actor }) }
  await emit(tx, disputeEvents['dispute.opened'], { payload: opened, visibleTo })
  await emit(tx, disputeEvents['receipt.disputed'], { payload, visibleTo })
}
