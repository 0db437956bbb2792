import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/pool.ts'

/** An event as every channel sends it (spec 6.2). */
export interface Envelope {
  event_id: string
  event_type: string
  payload: Record<string, unknown>
  created_at: string
}

/** An event of the log, its place, and who may see it. */
export interface LoggedEvent {
  place: bigint
  visibleTo: readonly string[]
  envelope: Envelope
}

/** A part of the log: its events, and the place behind everything that was looked at. */
export interface LogPart {
  /** In which the places are. */
  epoch: string
  events: LoggedEvent[]
  end: bigint
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
export function readLog(db: Db, after: bigint, limit: number): Promise<LogPart> {
  const events = sql`
    select of_act.place, event.* from market.placed_acts act ${eventsOf('act')}
    where act.place > ${after} and of_act.place > ${after}
    order by act.place, of_act.place limit ${limit}`
  return readPart(db, events, limit)
}

/** Returns the events behind a place that one of some accounts or orgs may see, in the order of the log. */
export function readVisible(
  db: Db,
  { accounts, orgs, subjects }: EventFilter,
  after: bigint,
  limit: number,
): Promise<LogPart> {
  const isOrg = [...accounts.map(() => false), ...orgs.map(() => true)]
  // One index range an account and an agent of theirs; an event that two of them see is counted once. An org's events are not in `*`.
  const events = sql`
    select distinct event.* from unnest(${[...accounts, ...orgs]}::uuid[], ${isOrg}::boolean[]) account(id, is_org)
    cross join lateral (
      select account.id union all select agent from market.agents_of(account.id) agent) listed(id)
    cross join lateral (
      select of_act.place, event.* from market.act_readers seen
      join market.placed_acts act on act.place = seen.place ${eventsOf('act')}
      where seen.account_id = listed.id and seen.place > ${after} and of_act.place > ${after}
        and account.id = any (event.visible_to)
        and array['*', split_part(event.event_type, '.', 1) || '.*', event.event_type]
          && array_remove(${subjects}::text[], case when account.is_org then '*' end)
      order by seen.place, of_act.place limit ${limit}
    ) event
    order by place limit ${limit}`
  return readPart(db, events, limit)
}

/** Joins the events of a placed act, each with its place. */
function eventsOf(act: string): RawBuilder<unknown> {
  const [id, place, ids] = ['id', 'place', 'event_ids'].map((column) => sql.ref(`${act}.${column}`))
  return sql`
    cross join lateral (
      select id, ${place} - cardinality(${ids}) + number as place from unnest(${ids}) with ordinality one(id, number)) of_act
    join market.events event on event.act = ${id} and event.id = of_act.id`
}

interface EventRow {
  epoch: string
  last_place: bigint
  place: bigint | null
  event_id: string
  event_type: string
  payload: Record<string, unknown>
  visible_to: string[]
  created_at: Date
}

// One statement, because the end of the log and the rows must be of one snapshot.
async function readPart(db: Db, events: RawBuilder<unknown>, limit: number): Promise<LogPart> {
  const { rows } = await sql<EventRow>`
    select current.epoch, log.last_place, event.place, event.event_id, event.event_type, event.payload, event.visible_to, event.created_at
    from market.event_log log join market.event_epochs current on current.ended_place is null
    left join lateral (${events}) event on true
    order by event.place`.execute(db)
  const [row] = rows
  if (!row) throw new Error('the event log has no epoch')
  const found = rows.flatMap(toLogged)
  const last = found.length === limit ? found.at(-1) : undefined
  return { epoch: row.epoch, events: found, end: last?.place ?? row.last_place, hasMore: last !== undefined }
}

function toLogged({ place, event_id, event_type, payload, visible_to, created_at }: EventRow): LoggedEvent[] {
  if (place === null) return []
  return [
    { place, visibleTo: visible_to, envelope: { event_id, event_type, payload, created_at: created_at.toISOString() } },
  ]
}
