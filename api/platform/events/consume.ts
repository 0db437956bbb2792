import { Problem } from '../../errors.ts'
import type { Db } from '../db/pool.ts'
import type { JobServices } from '../jobs/services.ts'
import { findPlace, type LogBounds, readBounds, writeCursor } from './cursor.ts'
import { type LoggedEvent, readLog } from './log.ts'
import { placeActs } from './placeActs.ts'

const AT_ONCE = 500

/**
 * Passes the events that are new since the consumer's last run to `act`, in parts and in order. Events repeat
 * after a crash or a restore, or with a second worker: `act` must do nothing for an event that it already
 * knows. Throws what `act` throws, and passes the same part again next time.
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

/**
 * The place where a consumer resumes: the beginning if the log does not know its place, as after a restore.
 */
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
