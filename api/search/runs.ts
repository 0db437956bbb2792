import type { Tx } from '../db/pool.ts'
import { statement } from '../db/statement.ts'
import { alternativesOf, type SearchQuery } from './query.ts'

/** The lengths of runs that listings have words for (0025_search.sql), as powers of two, the longest first. */
export const RUN_BITS = [17, 14, 11] as const
export type RunBits = (typeof RUN_BITS)[number]
export const SHORTEST_RUN = 11
// All that a run of the shortest length can hold.
const MAX_READ = 2_048

/**
 * A stretch of listings, by number, that is ranked on its own. Later pages look through the same stretch again: what comes
 * in between is above it, or joins it, and takes nobody's place.
 */
export interface Window {
  top: bigint
  floor: bigint
}

/** A listing that may match. */
export interface Candidate {
  number: bigint
  /** Where its row is in the snapshot of this transaction: to read it there again needs no look at an index. */
  place: string
}

/** A window and its candidates, the newest first. */
export interface Candidates {
  window: Window
  listings: Candidate[]
}

/** A match, and how many its run has of them. */
interface Found extends Candidate {
  inRun: bigint
}

/** Whether a run has more matches than were read of it: then these are any of them. */
export function isCutOff({ inRun }: Found): boolean {
  return inRun > MAX_READ
}

// Newest run first: the nested loop stops at the limit, so that a word of every listing costs one run. Alternatives one by
// one: asked for all at once, the index compares each entry of each with every other. The run is a condition of its own:
// the index then leaps from entry to entry of both, where in one it goes through all that a word has outside of the run.
// The sum keeps the planner from looking the whole window up by number, once for each run.
const selectFound = statement<Found>(`
  select matching.number, matching.place::text as place, matching."inRun"
  from generate_series($1::bigint, $2::bigint, -1) newest (run)
  cross join lateral (
    select number, place, count(*) over () as "inRun" from (
      select distinct on (looked.number) looked.number, looked.place from unnest($3::text[]) alternative
      cross join lateral (
        select number, ctid as place from market.asks
        where search @@ format('%L', $4::text || run)::tsquery and search @@ alternative::tsquery
          and number + 0 between $5 and $6
        limit $7) looked
      order by looked.number desc) listed
    order by number desc) matching
  limit $8`)

/**
 * The matches in a window, newest first, up to the limit; without one, all of them. With a limit no run is read further
 * than to know that it has too many.
 */
export async function lookUp(
  tx: Tx,
  query: SearchQuery,
  { top, floor }: Window,
  { bits, limit }: { bits: RunBits; limit: number | null },
): Promise<Found[]> {
  const name = bits === SHORTEST_RUN ? ' ' : ` ${bits}:`
  const alternatives = alternativesOf(query).map((words) => words.join(' & '))
  const run = (number: bigint) => number >> BigInt(bits)
  const ofARun = limit === null ? null : MAX_READ + 1
  return selectFound(tx, [run(top), run(floor), alternatives, name, floor, top, ofARun, limit])
}
