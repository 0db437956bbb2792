import { Problem } from '../../errors.ts'
import type { Db } from '../db/pool.ts'
import type { JobServices } from '../jobs/services.ts'
import { findPlace, type LogBounds, readBounds, writeCursor } from './cursor.ts'
import { type LoggedEvent, readLog } from './log.ts'
import { placeActs } from './placeActs.ts'

const AT_ONCE = 500

/**
 * Hands what is new in the log since the consumer's last run to `act`, in parts and in order. A crash, a second worker and a restore
 * repeat events: `act` must do nothing for one that it knows. Throws what `act` throws, and hands the same part out again then.
 */
export async function consumeEvents(
  { db }: JobServices,
  consumer: string,
  act: (events: readonly LoggedEvent[]) => Promise<unknown>,
): Promise<void> {
  await placeActs(db)
  let place = await placeOf(db, consumer, await readBounds(db))
  for (let hasMore = true; hasMore; ) {
    const part = await readLog(db, place, AT_ONCE)
    if (part.events.length === 0) return
    await act(part.events)
    place = part.end
    hasMore = part.hasMore
    const cursor = writeCursor(part.epoch, place)
    await db
      .insertInto('market.event_consumers')
      .values({ name: consumer, cursor })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ cursor }))
      .execute()
  }
}

/** Where a consumer goes on: from the beginning where the log does not know its place, as after a restore. */
async function placeOf(db: Db, consumer: string, bounds: LogBounds): Promise<bigint> {
  const row = await db
    .selectFrom('market.event_consumers')
    .select('cursor')
    .where('name', '=', consumer)
    .executeTakeFirst()
  try {
    return await findPlace(db, [], row?.cursor ?? 'earliest', bounds)
  } catch (error) {
    if (error instanceof Problem) return bounds.purged
    throw error
  }
}
