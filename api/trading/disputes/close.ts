import { sql } from 'kysely'
import { urnString } from '../../../protocol/encoding/urn.ts'
import type { Settings } from '../../context.ts'
import type { HoldReleased } from '../../payments/escrow/announcements.ts'
import { announce } from '../../platform/announcements/announce.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { emit } from '../../platform/events/emit.ts'
import { VerdictResolved } from './announcements.ts'
import { endAppeals } from './appeals.ts'
import { disputeEvents } from './events.ts'
import { lockDisputeOf } from './find.ts'
import { disputePayload, partiesOf, transition } from './transition.ts'
import { latestVerdict } from './verdicts.ts'

/**
 * Closes the dispute of an order whose hold was distributed: as it was decided, or as the chain did instead. An order
 * without an open dispute is left alone.
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

/** Extends the deadlines of a dispute by the time that its order was suspended. To run before the order resumes. */
export async function extendDispute(tx: Tx, orderId: string): Promise<void> {
  await sql`update market.disputes dispute set due_at = dispute.due_at + (market.now() - suspended.suspended_at),
      appeal_heard_until = dispute.appeal_heard_until + (market.now() - suspended.suspended_at)
    from market.orders suspended
    where suspended.id = ${orderId} and suspended.suspended_at is not null
      and dispute.order_id = suspended.id and dispute.due_at is not null`.execute(tx)
}
