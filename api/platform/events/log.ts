import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/pool.ts'

/** An event as every channel sends it (spec 6.2). */
export interface Envelope {
  event_id: string
  event_type: string
  payload: Record<string, unknown>
  created_at: string
}

/** An event of the log, its place, and the accounts that may see it. */
export interface LoggedEvent {
  place: bigint
  visibleTo: readonly string[]
  envelope: Envelope
}

/** A part of the log: its events, and the place after everything that was read. */
export interface LogPart {
  /** The epoch of the places. */
  epoch: string
  events: LoggedEvent[]
  end: bigint
  /** There may already be more after the end. */
  hasMore: boolean
}

/** The accounts whose events are read, and the types of these events. */
export interface EventFilter {
  accounts: readonly string[]
  /** Orgs whose workspace events are read. */
  orgs: readonly string[]
  /** Patterns of types (spec 4.3). */
  subjects: readonly string[]
}

/** The maximum number of acts that one statement reads. */
const MOST_ACTS = 10_000
const MORE_ACTS = 4

/** Returns the events of all accounts after a place, in the order of the log. */
export function readLog(db: Db, after: bigint, limit: number): Promise<LogPart> {
  const places = sql`select place from market.placed_acts where place > ${after} order by place limit ${limit}`
  return readActs(db, { places, acts: limit, after, isSeen: sql`true`, limit })
}

/**
 * Returns the events after a place that at least one of some accounts or orgs may see, in the order of the
 * log.
 */
export async function readVisible(
  db: Db,
  { accounts, orgs, subjects }: EventFilter,
  after: bigint,
  limit: number,
): Promise<LogPart> {
  const isOrg = [...accounts.map(() => false), ...orgs.map(() => true)]
  const reader = sql`unnest(${[...accounts, ...orgs]}::uuid[], ${isOrg}::boolean[]) reader(id, is_org)`
  // `*` does not include an org's events.
  const isSeen = sql`exists (select from ${reader} where reader.id = any (event.visible_to)
    and array['*', split_part(event.event_type, '.', 1) || '.*', event.event_type]
      && array_remove(${subjects}::text[], case when reader.is_org then '*' end))`
  const events: LoggedEvent[] = []
  let from = after
  // Starts with few acts, and reads more if their events are of other types: the cost depends on the page,
  // not on the log.
  for (let acts = limit; ; acts = Math.min(acts * MORE_ACTS, MOST_ACTS)) {
    // One index range for each account, and for each of its agents.
    const places = sql`
      select distinct seen.place from ${reader}
      cross join lateral (
        select reader.id union all select agent from market.agents_of(reader.id) agent) listed(id)
      cross join lateral (
        select place from market.act_readers
        where account_id = listed.id and place > ${from} order by place limit ${acts}) seen
      order by seen.place limit ${acts}`
    const part = await readActs(db, { places, acts, after: from, isSeen, limit: limit - events.length })
    events.push(...part.events)
    if (!part.hasMore || events.length === limit) return { ...part, events }
    from = part.end
  }
}

interface EventRow {
  epoch: string
  last_place: bigint
  /** The number of acts that were read, and the place of the last. */
  acts: bigint
  act_place: bigint | null
  place: bigint | null
  event_id: string
  event_type: string
  payload: Record<string, unknown>
  visible_to: string[]
  created_at: Date
}

/** The acts that are read, their maximum number, and the events of theirs that are returned. */
interface ActsRead {
  places: RawBuilder<unknown>
  acts: number
  after: bigint
  isSeen: RawBuilder<unknown>
  limit: number
}

// One statement, because the end of the log and the rows must come from the same snapshot.
async function readActs(db: Db, { places, acts, after, isSeen, limit }: ActsRead): Promise<LogPart> {
  const { rows } = await sql<EventRow>`
    with seen as materialized (${places})
    select current.epoch, log.last_place, looked.acts, looked.act_place, event.place, event.event_id, event.event_type, event.payload,
      event.visible_to, event.created_at
    from market.event_log log join market.event_epochs current on current.ended_place is null
    cross join (select count(*) as acts, max(place) as act_place from seen) looked
    left join lateral (
      select of_act.place, event.event_id, event.event_type, event.payload, event.visible_to, event.created_at
      from seen join market.placed_acts act on act.place = seen.place
      cross join lateral (
        select id, act.place - cardinality(act.event_ids) + number as place
        from unnest(act.event_ids) with ordinality one(id, number)) of_act
      join market.events event on event.act = act.id and event.id = of_act.id
      where of_act.place > ${after} and ${isSeen}
      order by of_act.place limit ${limit}) event on true
    order by event.place`.execute(db)
  const [row] = rows
  if (!row) throw new Error('the event log has no epoch')
  const events = rows.flatMap(toLogged)
  const lastOfMany = events.length === limit ? events.at(-1)?.place : undefined
  const lastLooked = Number(row.acts) === acts ? row.act_place : null
  const more = lastOfMany ?? lastLooked
  return { epoch: row.epoch, events, end: more ?? row.last_place, hasMore: more !== null }
}

function toLogged({ place, event_id, event_type, payload, visible_to, created_at }: EventRow): LoggedEvent[] {
  if (place === null) return []
  return [
    { place, visibleTo: visible_to, envelope: { event_id, event_type, payload, created_at: created_at.toISOString() } },
  ]
}
