import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db/pool.ts'
import { actOnDue } from '../../platform/jobs/due.ts'
import type { JobServices } from '../../platform/jobs/services.ts'
import { lockBid } from '../../trading/bids/find.ts'
import { transition } from './transition.ts'

/** Opens the tasks again that nobody can order any more: their bid is closed, or is over and has no quote that holds. */
export async function endLapsedOffers(services: JobServices): Promise<void> {
  const find = (passedOver: readonly string[], limit: number) =>
    lapsed(services.db)
      .select('task.id')
      .$if(passedOver.length > 0, (query) => query.where('task.id', 'not in', passedOver))
      .limit(limit)
      .execute()
  await actOnDue(services, 'task offer', find, endLapsedOffer)
}

/** Opens an offered task again, and returns true; false if it can still be ordered, or has been. */
async function endLapsedOffer(tx: Tx, taskId: string): Promise<boolean> {
  const task = await tx
    .selectFrom('market.tasks')
    .selectAll()
    .where('id', '=', taskId)
    .where('state', '=', 'offered')
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!task?.bid_id) return false
  // No quote is written and no order placed on it behind this lock.
  await lockBid(tx, task.bid_id)
  if (!(await lapsed(tx).select('task.id').where('task.id', '=', taskId).executeTakeFirst())) return false
  await transition(tx, null, task, 'withdraw', { bid_id: null })
  return true
}

function lapsed(db: Db | Tx) {
  return db
    .selectFrom('market.tasks as task')
    .innerJoin('market.bids as bid', 'bid.id', 'task.bid_id')
    .where('task.state', '=', 'offered')
    .where(
      sql<boolean>`(bid.state = 'closed' or bid.expires_at <= market.now() and not exists (select from market.quotes
        where bid_id = bid.id and state = 'open' and expires_at > market.now()))`,
    )
    .where(sql<boolean>`not exists (select from market.orders where bid_id = bid.id and state <> 'cancelled')`)
}
