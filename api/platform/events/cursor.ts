import { sql } from 'kysely'
import { Problem } from '../../errors.ts'
import type { Db } from '../db/pool.ts'
import { eventProblems } from './problems.ts'

/** Names of places without a cursor: the oldest event that is kept, and the end of the log. */
const EARLIEST = 'earliest'
const LATEST = 'latest'
const CURSOR = /^([0-9a-f]{8})\.(\d{1,18})$/
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** The state of the log that a cursor is checked against. */
export interface LogBounds {
  epoch: string
  /** Everything up to here may have been purged. */
  purged: bigint
  /** Everything that gets its place from now on comes after this. */
  end: bigint
}

/**
 * Returns the epoch of the log, the place up to which it was purged, and its end. Acts must have been placed
 * before.
 */
export async function readBounds(db: Db): Promise<LogBounds> {
  const { rows } = await sql<LogBounds>`
    select epoch, purged_place as purged, last_place as "end" from market.event_log, market.event_epochs where ended_place is null`.execute(
    db,
  )
  const [row] = rows
  if (!row) throw new Error('the event log has no epoch')
  return row
}

/** Returns the cursor of a place. It is opaque to clients, and not a secret. */
export function writeCursor(epoch: string, place: bigint): string {
  return Buffer.from(`${epoch}.${place}`).toString('base64url')
}

/**
 * Returns the place that a client names: by a cursor, by the event_id of an event that one of its accounts
 * may see, or as `earliest` or `latest`. Throws events/cursor-expired (410) if the log no longer continues
 * from there.
 */
export async function findPlace(
  db: Db,
  accounts: readonly string[],
  named: string,
  bounds: LogBounds,
): Promise<bigint> {
  if (named === EARLIEST) return bounds.purged
  if (named === LATEST) return bounds.end
  const place = UUID.test(named) ? await findEvent(db, accounts, named) : await readCursor(db, named, bounds)
  if (place !== undefined && place >= bounds.purged) return place
  throw new Problem(eventProblems.cursorExpired, {
    detail:
      'The log does not have this place, or no longer has it: events after it may be gone. Read your state again, and continue from earliest or latest.',
  })
}

async function readCursor(db: Db, named: string, { epoch, end }: LogBounds): Promise<bigint | undefined> {
  const [, of, digits] = CURSOR.exec(Buffer.from(named, 'base64url').toString()) ?? []
  if (of === undefined || digits === undefined) return undefined
  const place = BigInt(digits)
  const last = of === epoch ? end : await endOf(db, of)
  return last !== undefined && place <= last ? place : undefined
}

/** Returns the place where an earlier epoch ended: the log is unchanged up to there. */
async function endOf(db: Db, epoch: string): Promise<bigint | undefined> {
  const epochs = db.selectFrom('market.event_epochs').select('ended_place').where('epoch', '=', epoch)
  return (await epochs.executeTakeFirst())?.ended_place ?? undefined
}

async function findEvent(db: Db, accounts: readonly string[], eventId: string): Promise<bigint | undefined> {
  const { rows } = await sql<{ place: bigint }>`
    select act.place - cardinality(act.event_ids) + array_position(act.event_ids, event.id) as place
    from market.events event join market.placed_acts act on act.id = event.act
    where event.event_id = ${eventId} and event.visible_to && ${accounts}::uuid[] and event.id = any (act.event_ids)`.execute(
    db,
  )
  return rows[0]?.place
}
