import { sql } from 'kysely'
import type { Tx } from '../db/pool.ts'
import { type SearchCost, stepsOf } from './cost.ts'
import { alternativesOf, type SearchQuery } from './query.ts'
import { type Candidates, isCutOff, lookUp, RUN_BITS, type RunBits, SHORTEST_RUN, type Window } from './runs.ts'

const MAX_CANDIDATES = 500
// Up to here it is cheaper to look at every match, each on a page of its own, than to look run by run.
const FEW_MATCHES = 1_000
const TOO_MANY_MATCHES = 4 * FEW_MATCHES
// Of the index, for a window: three to five milliseconds. Words of most listings may have few in common, and it takes so many
// steps to find out.
const MAX_STEPS = 32_768
// Each lookup of a word in a run costs a descent into the index, however few steps follow.
const MAX_LOOKUPS = 64
// The last run of a window is read to its end, although fewer are missing.
const MAX_EXPECTED_IN_A_RUN = 700

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

/** What a window is opened by. */
export interface Opening {
  top: bigint
  /** The number of the newest listing when the search began: as many are searched. */
  newest: bigint
  /** What the query costs to look up: asked where it matters, and once a search. */
  costOf: () => Promise<SearchCost>
}

/** The window from `top` down that holds no more candidates than may be ranked at once. */
export async function openWindow(tx: Tx, query: SearchQuery, { top, newest, costOf }: Opening): Promise<Candidates> {
  if (query.indexable === '') {
    return closed({ top, floor: 0n }, await active(tx, { top, floor: 0n }, MAX_CANDIDATES), MAX_CANDIDATES)
  }
  const cost = await costOf()
  const all = await fewMatches(tx, query, cost, top)
  if (all) return closed({ top, floor: 0n }, all.slice(0, MAX_CANDIDATES), MAX_CANDIDATES)
  return newestMatches(tx, query, cost, { top, bits: runBits(cost, Number(newest)), limit: MAX_CANDIDATES })
}

// Long runs for rare words: a lookup goes through all of a word's listings, where they are fewer than the run's.
function runBits(cost: SearchCost, listings: number): RunBits {
  const isShort = (bits: RunBits) =>
    (cost.matches / listings) * 2 ** bits <= MAX_EXPECTED_IN_A_RUN && stepsOf(cost, 2 ** bits) <= MAX_STEPS
  return RUN_BITS.find(isShort) ?? SHORTEST_RUN
}

/** The numbers of the candidates in a window that was opened before. */
export async function candidatesIn(tx: Tx, query: SearchQuery, window: Window): Promise<bigint[]> {
  if (query.indexable === '') return active(tx, window, null)
  const length = window.top - window.floor
  const bits = RUN_BITS.find((one) => 2n ** BigInt(one) <= length) ?? SHORTEST_RUN
  return (await lookUp(tx, query, window, { bits, limit: null })).map(({ number }) => number)
}

/** The newest matches from `top` down. The window ends where there are enough, or enough was looked at. */
async function newestMatches(
  tx: Tx,
  query: SearchQuery,
  cost: SearchCost,
  { top, bits, limit }: { top: bigint; bits: RunBits; limit: number },
): Promise<Candidates> {
  const run = (number: bigint) => number >> BigInt(bits)
  const lowest = run(top) - BigInt(maxRuns(cost, bits)) + 1n
  const window = { top, floor: lowest > 0n ? lowest << BigInt(bits) : 0n }
  const found = await lookUp(tx, query, window, { bits, limit })
  const numbers = found.map(({ number }) => number)
  const cutOff = found.find(isCutOff)
  const shorter = RUN_BITS.find((one) => one < bits)
  if (!cutOff || !shorter) return closed(window, numbers, limit)
  // More than was expected: from that run on shorter ones will do.
  const whole = numbers.slice(0, found.indexOf(cutOff))
  const end = ((run(cutOff.number) + 1n) << BigInt(bits)) - 1n
  const rest = { top: end < top ? end : top, bits: shorter, limit: limit - whole.length }
  const below = await newestMatches(tx, query, cost, rest)
  return { window: { top, floor: below.window.floor }, numbers: [...whole, ...below.numbers] }
}

function maxRuns(cost: SearchCost, bits: RunBits): number {
  const words = cost.alternatives.reduce((sum, alternative) => sum + alternative.words, 0)
  return Math.max(1, Math.min(Math.floor(MAX_LOOKUPS / words), Math.floor(MAX_STEPS / stepsOf(cost, 2 ** bits))))
}

/** A window ends with the last candidate that may be ranked. */
function closed(window: Window, numbers: bigint[], limit: number): Candidates {
  return { window: { ...window, floor: numbers[limit - 1] ?? window.floor }, numbers }
}

/** The numbers of all matches up to `top`, the newest first; undefined where they are too many to look at. */
async function fewMatches(tx: Tx, query: SearchQuery, cost: SearchCost, top: bigint): Promise<bigint[] | undefined> {
  if (cost.matches > FEW_MATCHES || stepsOf(cost, Number.POSITIVE_INFINITY) > MAX_STEPS) return undefined
  // Alternatives one by one, as in lookUp.
  const alternatives = alternativesOf(query).map((words) => words.join(' & '))
  const { rows } = await sql<{ number: bigint }>`
    select distinct looked.number from unnest(${alternatives}::text[]) alternative
    cross join lateral (
      select number from market.asks
      where search @@ alternative::tsquery and number + 0 <= ${top}
      limit ${TOO_MANY_MATCHES}) looked
    limit ${TOO_MANY_MATCHES}`.execute(tx)
  if (rows.length === TOO_MANY_MATCHES) return undefined
  return rows.map(({ number }) => number).sort((one, other) => Number(other - one))
}

async function active(tx: Tx, { top, floor }: Window, limit: number | null): Promise<bigint[]> {
  const { rows } = await sql<{ number: bigint }>`
    select number from market.asks
    where active and number between ${floor} and ${top} order by number desc limit ${limit}`.execute(tx)
  return rows.map(({ number }) => number)
}
