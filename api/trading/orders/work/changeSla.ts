import { sql } from 'kysely'
import type { MarketRules } from '../../../context.ts'
import { Problem } from '../../../errors.ts'
import { readClock } from '../../../platform/db/clock.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { requireWindowsFit } from '../../terms/limits.ts'
import { threadProblems } from '../../threads/problems.ts'
import type { OrderRow } from '../record/find.ts'

const MS_PER_SECOND = 1_000

/**
 * Gives the seller of a paid order another time to deliver, counted like the former one, as both parties
 * agreed. A recorded breach of the former deadline is removed. Returns the changed order. The order must be
 * locked. Throws messages/invalid-payload (422) for a time above the market's limit or one that is over,
 * orders/windows-too-long (422) where the hold would not last.
 */
export async function changeSla(tx: Tx, rules: MarketRules, order: OrderRow, slaSeconds: number): Promise<OrderRow> {
  const field = 'payload.changes.sla_seconds'
  if (slaSeconds > rules.maxSlaSeconds) throw invalid(field, `must be at most ${rules.maxSlaSeconds}`)
  requireWindowsFit(rules, { slaSeconds, autoAcceptSeconds: order.auto_accept_seconds }, field)
  if (order.sla_due_at === null) throw new Error(`order ${order.id} is paid and has no time to deliver`)
  const dueAt = new Date(order.sla_due_at.getTime() + (slaSeconds - order.sla_seconds) * MS_PER_SECOND)
  if (dueAt <= (await readClock(tx))) throw invalid(field, `would have ended at ${dueAt.toISOString()}`)
  return tx
    .updateTable('market.orders')
    .set({ sla_seconds: slaSeconds, sla_due_at: dueAt, sla_breached_at: null, updated_at: sql<Date>`market.now()` })
    .where('id', '=', order.id)
    .where('state', 'in', ['funded', 'in_flight', 'delivered', 'rejected'])
    .returningAll()
    .executeTakeFirstOrThrow()
}

function invalid(field: string, message: string): Problem {
  return new Problem(threadProblems.invalidPayload, { detail: `${field}: ${message}.`, field })
}
