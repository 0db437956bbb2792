import { sql } from 'kysely'
import type { Tx } from '../db/pool.ts'
import type { SearchQuery } from './query.ts'

/** As in the search column of market.asks (0013_market.sql). */
const SEGMENT_LISTINGS = 2_048n
const MAX_LOOKUPS = 64
const MIN_SEGMENTS = 16
const WORD = /'(?:[^']|'')*'/g
const MAX_CANDIDATES = 500
// Up to here it is cheaper to look at every match, each on a page of its own, than to look segment by segment.
const FEW_MATCHES = 1_000
const TOO_MANY_MATCHES = 4 * FEW_MATCHES

/**
 * A run of listings, by number, that is ranked on its own. Later pages look through the same run again: what comes in
 * between is above it, or joins it, and takes nobody's place.
 */
export interface Window {
  top: bigint
  floor: bigint
}

/** The number of the newest listing; 0 before there is one. */
export async function newestNumber(tx: Tx): Promise<bigint> {
  const newest = await tx
    .selectFrom('market.asks')
    .select('number')
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  return newest?.number ?? 0n
}

/** The window from `top` down that holds no more candidates than may be ranked at once, and their numbers. */
export async function openWindow(tx: Tx, query: SearchQuery, top: bigint) {
  const all = await allMatches(tx, query, { top, floor: 0n })
  const lowest = top / SEGMENT_LISTINGS - maxSegments(query) + 1n
  const bottom = all || query.indexable === '' || lowest <= 0n ? 0n : lowest * SEGMENT_LISTINGS
  const numbers = all?.slice(0, MAX_CANDIDATES) ?? (await newest(tx, query, { top, floor: bottom }, MAX_CANDIDATES))
  return { window: { top, floor: numbers[MAX_CANDIDATES - 1] ?? bottom }, numbers }
}

/** The numbers of the candidates in a window that was opened before. */
export async function candidatesIn(tx: Tx, query: SearchQuery, window: Window): Promise<bigint[]> {
  const isNarrow = window.top / SEGMENT_LISTINGS - window.floor / SEGMENT_LISTINGS < maxSegments(query)
  const all = isNarrow ? undefined : await allMatches(tx, query, window)
  return all ?? newest(tx, query, window, null)
}

// A segment is looked up once for each word, and two common words take twice as long: what is bounded is both together.
// Words whose matches are not few are still in each sixteenth segment several times over.
function maxSegments({ indexable }: SearchQuery): bigint {
  const words = indexable.match(WORD)?.length ?? 1
  return BigInt(Math.max(MIN_SEGMENTS, Math.floor(MAX_LOOKUPS / words)))
}

/** The numbers of all matches in a window, the newest first; undefined where they are too many to look at. */
async function allMatches(tx: Tx, query: SearchQuery, { top, floor }: Window): Promise<bigint[] | undefined> {
  if (query.indexable === '' || (await estimate(tx, query)) > FEW_MATCHES) return undefined
  const { rows } = await sql<{ number: bigint }>`
    select number from market.asks where search @@ ${query.indexable}::tsquery limit ${TOO_MANY_MATCHES}`.execute(tx)
  if (rows.length === TOO_MANY_MATCHES) return undefined
  return rows
    .map(({ number }) => number)
    .filter((number) => number >= floor && number <= top)
    .sort((one, other) => Number(other - one))
}

// What the planner makes of its statistics of words: it costs no look at the index.
async function estimate(tx: Tx, query: SearchQuery): Promise<number> {
  const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>`
    explain (format json) select from market.asks where search @@ ${query.indexable}::tsquery`.execute(tx)
  return rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0
}

/** The numbers of the matches in a window, the newest first, up to the limit. */
async function newest(tx: Tx, query: SearchQuery, { top, floor }: Window, limit: number | null): Promise<bigint[]> {
  // Newest segment first: the nested loop stops at the limit, so that a word of every listing costs one segment. The sum
  // keeps the planner from looking the whole window up by number, once for each segment.
  const { rows } = await (query.indexable === ''
    ? sql<{ number: bigint }>`
      select number from market.asks where active and number between ${floor} and ${top} order by number desc limit ${limit}`
    : sql<{ number: bigint }>`
      select listed.number
      from generate_series(${top / SEGMENT_LISTINGS}::bigint, ${floor / SEGMENT_LISTINGS}::bigint, -1) newest (segment)
      cross join lateral (
        select number from market.asks
        where search @@ (${query.indexable}::tsquery && format('%L', ' ' || segment)::tsquery)
          and number + 0 between ${floor} and ${top}
        order by number desc) listed
      limit ${limit}`
  ).execute(tx)
  return rows.map(({ number }) => number)
}
