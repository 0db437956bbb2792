import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/pool.ts'
import type { Position } from './position.ts'

/** An event as every channel sends it (spec 6.2). */
export interface Envelope {
  event_id: string
  event_type: string
  payload: Record<string, unknown>
  created_at: string
}

/** An event of the log, its place, and who may see it. */
export interface LoggedEvent {
  position: Position
  visibleTo: readonly string[]
  envelope: Envelope
}

/** A part of the log: its events, and the place behind everything that was looked at. */
export interface LogPart {
  events: LoggedEvent[]
  end: Position
  /** There may be more behind the end already. */
  hasMore: boolean
}

/** Whose events are read, and of which types. */
export interface EventFilter {
  accounts: readonly string[]
  /** Orgs whose events of the workspace are read. */
  orgs: readonly string[]
  /** Patterns of types (spec 4.3). */
  subjects: readonly string[]
}

/** Returns the events of everyone behind a place, in the order of the log. */
export function readLog(db: Db, after: Position, limit: number): Promise<LogPart> {
  const rows = sql`
    select * from market.events event
    where ${isBehind('event', after)} and event.transaction_id < pg_snapshot_xmin(pg_current_snapshot())
    order by event.transaction_id, event.id limit ${limit}`
  return readPart(db, rows, limit)
}

/** Returns the events behind a place that one of some accounts or orgs may see, in the order of the log. */
export function readVisible(
  db: Db,
  { accounts, orgs, subjects }: EventFilter,
  after: Position,
  limit: number,
): Promise<LogPart> {
  const isOrg = [...accounts.map(() => false), ...orgs.map(() => true)]
  // One index range an account; an event that two of them see is counted once. An org's events are not in `*`.
  const rows = sql`
    select distinct event.* from unnest(${[...accounts, ...orgs]}::uuid[], ${isOrg}::boolean[]) account(id, is_org)
    cross join lateral (
      select event.* from market.visible_events seen
      join market.events event on event.transaction_id = seen.transaction_id and event.id = seen.id
      where seen.account_id = account.id and ${isBehind('seen', after)}
        and seen.transaction_id < pg_snapshot_xmin(pg_current_snapshot())
        and array['*', split_part(event.event_type, '.', 1) || '.*', event.event_type]
          && array_remove(${subjects}::text[], case when account.is_org then '*' end)
      order by seen.transaction_id, seen.id limit ${limit}
    ) event
    order by event.transaction_id, event.id limit ${limit}`
  return readPart(db, rows, limit)
}

interface EventRow {
  head: string
  id: bigint | null
  transaction_id: string
  event_id: string
  event_type: string
  payload: Record<string, unknown>
  visible_to: string[]
  created_at: Date
}

// One statement, because the oldest running transaction and the rows must be of one snapshot.
async function readPart(db: Db, events: RawBuilder<unknown>, limit: number): Promise<LogPart> {
  const { rows } = await sql<EventRow>`
    select pg_snapshot_xmin(pg_current_snapshot())::text as head, event.id, event.transaction_id::text, event.event_id,
      event.event_type, event.payload, event.visible_to, event.created_at
    from (values (1)) always left join lateral (${events}) event on true
    order by event.transaction_id, event.id`.execute(db)
  const found = rows.filter(({ id }) => id !== null).map(toLogged)
  const hasMore = found.length === limit
  const last = found.at(-1)
  const [row] = rows
  if (!row) throw new Error('the log answered no row')
  return { events: found, end: hasMore && last ? last.position : { transactionId: BigInt(row.head), id: 0n }, hasMore }
}

function toLogged(row: EventRow): LoggedEvent {
  const { event_id, event_type, payload, created_at } = row
  return {
    position: { transactionId: BigInt(row.transaction_id), id: row.id ?? 0n },
    visibleTo: row.visible_to,
    envelope: { event_id, event_type, payload, created_at: created_at.toISOString() },
  }
}

function isBehind(table: string, { transactionId, id }: Position): RawBuilder<boolean> {
  const place = sql`(${sql.ref(`${table}.transaction_id`)}, ${sql.ref(`${table}.id`)})`
  return sql<boolean>`${place} > (${String(transactionId)}::xid8, ${id})`
}
