import { sql } from 'kysely'
import { formatAmount } from '../../../../protocol/encoding/amounts.ts'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import type { AgentCall, Settings } from '../../../context.ts'
import { Problem } from '../../../errors.ts'
import type { HoldReleased } from '../../../payments/escrow/announcements.ts'
import { requestRelease } from '../../../payments/escrow/release.ts'
import { announce } from '../../../platform/announcements/announce.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { DisputeOutcome } from '../../../platform/db/generated/tables.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { emit } from '../../../platform/events/emit.ts'
import type { OrderRow, Party } from '../../orders/record/find.ts'
import { orderProblems } from '../../orders/record/problems.ts'
import { requireNotSuspended } from '../../orders/record/transition.ts'
import { endAppeals } from '../appeals/appeals.ts'
import { VerdictResolved } from '../record/announcements.ts'
import { agentOf, type DisputeRow, lockDisputeOf } from '../record/find.ts'
import { disputeEvents } from '../record/module.ts'
import type { DisputeTransition } from '../record/states.ts'
import { disputePayload, partiesOf, transition } from '../record/transition.ts'
import { latestVerdict, type VerdictRow } from '../record/verdicts.ts'

/**
 * Closes the dispute of an order whose hold was distributed: as it was decided, or in another way on the
 * chain. An order without an open dispute is left alone.
 */
export async function closeDispute(tx: Tx, settings: Settings, { order, split }: HoldReleased): Promise<void> {
  const dispute = await lockDisputeOf(tx, order)
  if (!dispute || dispute.state === 'closed') return
  const isAsDecided = dispute.state === 'executing' && dispute.refund_micros === split.payerMicros
  const closed_at = sql<Date>`market.now()`
  const closed = isAsDecided
    ? await transition(tx, dispute.id, 'close', { closed_at })
    : await transition(tx, dispute.id, 'closeByChain', {
        ...{ closed_at, due_at: null, outcome: 'chain', refund_micros: split.payerMicros },
      })
  if (!isAsDecided)
    await endAppeals(tx, settings, { order, dispute: closed }, { outcome: 'chain', refundMicros: split.payerMicros })
  const verdict = closed.outcome === 'verdict' ? await latestVerdict(tx, dispute.id) : undefined
  if (!verdict) return
  const payload = { ...disputePayload(order, closed), verdict_urn: urnString('verdict', verdict.id) }
  await emit(tx, disputeEvents['verdict.resolved'], { payload, visibleTo: partiesOf(order) })
  const resolved = { orderId: order.id, disputeId: dispute.id, verdictId: verdict.id }
  await announce(tx, settings, VerdictResolved, resolved)
}

/**
 * Extends the deadlines of a dispute by the time that its order was suspended. Must run before the order
 * resumes.
 */
export async function extendDispute(tx: Tx, orderId: string): Promise<void> {
  await sql`update market.disputes dispute set due_at = dispute.due_at + (market.now() - suspended.suspended_at),
      remind_at = dispute.remind_at + (market.now() - suspended.suspended_at),
      appeal_heard_until = dispute.appeal_heard_until + (market.now() - suspended.suspended_at)
    from market.orders suspended
    where suspended.id = ${orderId} and suspended.suspended_at is not null
      and dispute.order_id = suspended.id and dispute.due_at is not null`.execute(tx)
}

/** How a dispute ends: the transition, and the amount that the payer gets back. */
export interface Ending {
  transition: Extract<DisputeTransition, 'review' | 'execute' | 'settle' | 'concede' | 'release'>
  outcome: Exclude<DisputeOutcome, 'chain'>
  refundMicros: bigint
}

/**
 * Ends a dispute: unfreezes the hold and distributes it. In custodied mode the order is final in this
 * transaction; in contract mode once the chain shows the release. Order and dispute must be locked. Throws
 * 409 if the dispute was ended meanwhile, or a reorganisation has removed the payment.
 */
export async function end(
  tx: Tx,
  settings: Settings,
  { order, dispute }: { order: OrderRow; dispute: DisputeRow },
  { transition: name, outcome, refundMicros }: Ending,
): Promise<void> {
  requireNotSuspended(order)
  const ended = await transition(tx, dispute.id, name, { due_at: null, outcome, refund_micros: refundMicros })
  await endAppeals(tx, settings, { order, dispute: ended }, { outcome, refundMicros })
  if (outcome !== 'verdict') {
    const payload = { ...disputePayload(order, ended), outcome, refund: formatAmount(refundMicros) }
    await emit(tx, disputeEvents['dispute.settled'], { payload, visibleTo: partiesOf(order) })
  }
  await audit(tx, {
    actor: 'service',
    action: 'dispute.execute',
    subject: urnString('order', order.id),
    details: { dispute_urn: urnString('dispute', dispute.id), outcome, refund_micros: `${refundMicros}` },
  })
  const verdict = outcome === 'verdict' ? await latestVerdict(tx, dispute.id) : undefined
  await requestRelease(tx, settings, order, { refundMicros, ...(verdict ? { verdict: evidenceOf(verdict) } : {}) })
}

/** Returns a verdict in the form that the facilitator reads. */
function evidenceOf({ document, key_id: keyId, signature }: VerdictRow) {
  return { document, keyId, signature }
}

/**
 * Gives up a dispute before it is executed: the seller refunds all, the buyer pays all. The order must be
 * locked. Throws 409 if the dispute was ended meanwhile.
 */
export async function giveUp(
  tx: Tx,
  { settings }: Pick<AgentCall, 'settings'>,
  order: OrderRow,
  party: Party,
): Promise<void> {
  const dispute = await lockDisputeOf(tx, order)
  if (!dispute) throw new Problem(orderProblems.stateConflict, { detail: `The order is ${order.state}, not disputed.` })
  await audit(tx, {
    actor: urnString('agent', agentOf(order, party)),
    action: party === 'seller' ? 'dispute.concede' : 'dispute.release',
    subject: urnString('order', order.id),
    details: { dispute_urn: urnString('dispute', dispute.id) },
  })
  const ending: Ending =
    party === 'seller'
      ? { transition: 'concede', outcome: 'concession', refundMicros: order.price_micros }
      : { transition: 'release', outcome: 'release', refundMicros: 0n }
  await end(tx, settings, { order, dispute }, ending)
}

/**
 * Ends a dispute by the split that one party proposed and the other accepted. The order must be locked.
 * Throws 409 once there is a verdict.
 */
export async function agreeOnSplit(tx: Tx, settings: Settings, order: OrderRow, refundMicros: bigint): Promise<void> {
  const dispute = await lockDisputeOf(tx, order)
  if (!dispute) throw new Problem(orderProblems.stateConflict, { detail: `The order is ${order.state}, not disputed.` })
  await end(tx, settings, { order, dispute }, { transition: 'settle', outcome: 'settlement', refundMicros })
}
