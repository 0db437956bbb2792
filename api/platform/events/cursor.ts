import { sql } from 'kysely'
import { Problem } from '../../errors.ts'
import type { Db } from '../db/pool.ts'
import { isBefore, type Position } from './position.ts'

/** Names of places that need no cursor: the oldest event that is kept, and the end of the log. */
const EARLIEST = 'earliest'
const LATEST = 'latest'
const CURSOR = /^([0-9a-f]{8})\.(\d{1,19})\.(\d{1,19})$/
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** What a cursor is read against. */
export interface LogBounds {
  epoch: string
  /** Everything up to here may have been purged. */
  purged: Position
  /** Everything that is committed from now on comes behind it. */
  end: Position
}

/** Returns the epoch of the log, how far it was purged, and its end. */
export async function readBounds(db: Db): Promise<LogBounds> {
  const { rows } = await sql<{ epoch: string; purged_transaction_id: string; purged_id: bigint; head: string }>`
    select epoch, purged_transaction_id::text, purged_id, pg_snapshot_xmin(pg_current_snapshot())::text as head
    from market.event_log`.execute(db)
  const [row] = rows
  if (!row) throw new Error('market.event_log has no row')
  return {
    epoch: row.epoch,
    purged: { transactionId: BigInt(row.purged_transaction_id), id: row.purged_id },
    end: { transactionId: BigInt(row.head), id: 0n },
  }
}

/** Returns the cursor of a place: opaque to clients, and no secret. */
export function writeCursor(epoch: string, { transactionId, id }: Position): string {
  return Buffer.from(`${epoch}.${transactionId}.${id}`).toString('base64url')
}

/**
 * Returns the place that a client names: by a cursor, by the event_id of an event that one of its accounts may see, or as
 * earliest or latest. Throws events/cursor-expired (410) if the log does not go on from there.
 */
export async function findPlace(
  db: Db,
  accounts: readonly string[],
  named: string,
  bounds: LogBounds,
): Promise<Position> {
  if (named === EARLIEST) return bounds.purged
  if (named === LATEST) return bounds.end
  const place = UUID.test(named) ? await findEvent(db, accounts, named) : readCursor(named, bounds.epoch)
  const isKnown = place && !isBefore(place, bounds.purged) && place.transactionId <= bounds.end.transactionId
  if (isKnown) return place
  throw new Problem('events/cursor-expired', {
    detail:
      'The log has no such place, or not any more: events behind it may be gone. Read what you follow anew, and go on from earliest or latest.',
  })
}

function readCursor(named: string, epoch: string): Position | undefined {
  const [, of, transactionId, id] = CURSOR.exec(Buffer.from(named, 'base64url').toString()) ?? []
  if (of !== epoch || transactionId === undefined || id === undefined) return undefined
  return { transactionId: BigInt(transactionId), id: BigInt(id) }
}

async function findEvent(db: Db, accounts: readonly string[], eventId: string): Promise<Position | undefined> {
  const { rows } = await sql<{ transaction_id: string; id: bigint }>`
    select transaction_id::text, id from market.events
    where event_id = ${eventId} and visible_to && ${accounts}::uuid[]`.execute(db)
  const [row] = rows
  return row && { transactionId: BigInt(row.transaction_id), id: row.id }
}
