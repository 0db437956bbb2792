import type { JobServices } from '../../platform/jobs/services.ts'
import { type Deadline, untilNext, untilNoneIsDue } from '../orders/work/deadlines.ts'
import { openForBuyer } from './open.ts'

const rejection: Deadline = {
  column: 'redeliver_by',
  orders: (db) => db.selectFrom('market.orders').where('state', '=', 'rejected'),
}

/** Opens the disputes of the rejected orders whose seller did not deliver again, for their buyers. */
export function openOverdueDisputes(services: JobServices): Promise<void> {
  const { settings } = services
  return untilNoneIsDue(services, 'rejection window', rejection, (tx, id) => openForBuyer(tx, settings, id))
}

/** Returns the milliseconds until the next rejected order is disputed. */
export const nextOverdueDisputeInMs = ({ db }: JobServices) => untilNext(db, rejection)
