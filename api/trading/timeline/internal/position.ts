import { type RawBuilder, sql } from 'kysely'
import type { TimelineKind } from '../routes.ts'

/**
 * A place in an order's timeline. Facts are ordered by cause: by the place of their act in the event log, and
 * inside an act by rank: first chain events, then the bookings for them, then the events.
 */
export interface TimelinePosition {
  /** 0n for an act that was purged from the log: such acts come first, in the order in which they began. */
  place: bigint
  act: bigint
  rank: number
  id: bigint
}

/** The part of a timeline on one page. */
export interface TimelinePart {
  after: TimelinePosition
  /** The last place of the log that is shown. */
  end: bigint
  kinds: ReadonlySet<TimelineKind>
  limit: number
}

export const CHAIN_RANK = 0
export const LEDGER_RANK = 1
export const EVENT_RANK = 2

/** The place before every fact. */
const START: TimelinePosition = { place: 0n, act: 0n, rank: 0, id: 0n }

/** Compares two places, for sorting. */
export function comparePositions(one: TimelinePosition, other: TimelinePosition): number {
  if (one.place !== other.place) return one.place < other.place ? -1 : 1
  if (one.act !== other.act) return one.act < other.act ? -1 : 1
  if (one.rank !== other.rank) return one.rank - other.rank
  return one.id === other.id ? 0 : one.id < other.id ? -1 : 1
}

/** Returns a place in the format of a cursor. */
export function writePosition({ place, act, rank, id }: TimelinePosition): string {
  return `${place} ${act} ${rank} ${id}`
}

/** Returns the place in a cursor, whose text was already checked; the start if there is no cursor. */
export function readPosition(text: string | undefined): TimelinePosition {
  if (text === undefined) return START
  const [place = '0', act = '0', rank = '0', id = '0'] = text.split(' ')
  return { place: BigInt(place), act: BigInt(act), rank: Number(rank), id: BigInt(id) }
}

/**
 * Selects the place of an act, given the table that holds its number: null while it has no place, 0 once it
 * was purged.
 */
export function placeOf(table: string): RawBuilder<bigint | null> {
  const act = sql.ref(`${table}.act`)
  return sql`case when not exists (select from market.unplaced_acts waiting where waiting.id = ${act})
    then coalesce((select place from market.placed_acts placed where placed.id = ${act}), 0) end`
}
