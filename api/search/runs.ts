import { sql } from 'kysely'
import type { Tx } from '../db/pool.ts'
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

/** A window and the numbers of its candidates, the newest first. */
export interface Candidates {
  window: Window
  numbers: bigint[]
}

/** A match, and how many its run has of them. */
export interface Found {
  number: bigint
  inRun: bigint
}

/** Whether a run has more matches than were read of it: then these are any of them. */
export function isCutOff({ inRun }: Found): boolean {
  return inRun > MAX_READ
}

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
  const [first, last] = [top >> BigInt(bits), floor >> BigInt(bits)]
  const name = bits === SHORTEST_RUN ? ' ' : ` ${bits}:`
  const alternatives = alternativesOf(query).map((words) => words.join(' & '))
  // Newest run first: the nested loop stops at the limit, so that a word of every listing costs one run. Alternatives one
  // by one: asked for all at once, the index compares each entry of each with every other. The sum keeps the planner from
  // looking the whole window up by number, once for each run.
  const { rows } = await sql<Found>`
    select matching.number, matching."inRun"
    from generate_series(${first}::bigint, ${last}::bigint, -1) newest (run)
    cross join lateral (
      select number, count(*) over () as "inRun" from (
        select distinct looked.number from unnest(${alternatives}::text[]) alternative
        cross join lateral (
          select number from market.asks
          where search @@ (alternative::tsquery && format('%L', ${name} || run)::tsquery)
            and number + 0 between ${floor} and ${top}
          limit ${limit === null ? null : MAX_READ + 1}) looked) listed
      order by number desc) matching
    limit ${limit}`.execute(tx)
  return rows
}
