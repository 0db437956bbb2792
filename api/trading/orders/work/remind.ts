import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/pool.ts'
import type { JobServices } from '../../../platform/jobs/services.ts'
import { announceOrder } from '../record/transition.ts'
import { type Deadline, untilNext, untilNoneIsDue } from './deadlines.ts'

const reminder: Deadline = {
  column: 'remind_at',
  orders: (db) => db.selectFrom('market.orders').where('state', '=', 'delivered'),
}

/** Reminds the buyers of the deliveries that will soon be accepted for them. */
export function remindBuyers(services: JobServices): Promise<void> {
  return untilNoneIsDue(services, 'reminder of a delivery', reminder, remindBuyer)
}

/** Returns the milliseconds until the next buyer is reminded. */
export const nextReminderInMs = ({ db }: JobServices) => untilNext(db, reminder)

/**
 * Reminds a buyer, by an event, of a delivery that will be accepted automatically. Returns false if they were
 * reminded before, or if it is too early or too late for a reminder.
 */
async function remindBuyer(tx: Tx, orderId: string): Promise<boolean> {
  const order = await tx
    .updateTable('market.orders')
    .set({ remind_at: null })
    .where('id', '=', orderId)
    .where('state', '=', 'delivered')
    .where('suspended_at', 'is', null)
    .where('remind_at', '<=', sql<Date>`market.now()`)
    .where('accept_by', '>', sql<Date>`market.now()`)
    .returningAll()
    .executeTakeFirst()
  if (!order) return false
  await announceOrder(tx, order, 'order.window_ending')
  return true
}
