import type { Tx } from '../db/pool.ts'
import { MAX_STEPS, type SearchCost, stepsInRun } from './cost.ts'
import { fewMatches } from './few.ts'
import { MAX_READ_ONE_BY_ONE, newestActive, newestMatching } from './newest.ts'
import type { SearchQuery } from './query.ts'
import {
  type Candidate,
  type Candidates,
  isCutOff,
  lookUp,
  RUN_BITS,
  type RunBits,
  SHORTEST_RUN,
  type Window,
} from './runs.ts'

const MAX_CANDIDATES = 500
// The last run of a window is read to its end, although fewer are missing.
const MAX_EXPECTED_IN_A_RUN = 700

/** What is known of a search. */
export interface Known {
  /** The number of the newest listing when the search began: as many are searched. */
  newest: bigint
  /** What the query costs to look up: asked where it matters, and once a search. */
  costOf: () => Promise<SearchCost>
}

/** The window from `top` down that holds no more candidates than may be ranked at once. */
export async function openWindow(
  tx: Tx,
  query: SearchQuery,
  { top, newest, costOf }: Known & { top: bigint },
): Promise<Candidates> {
  const all = { top, floor: 0n }
  if (query.indexable === '') return closed(all, await newestActive(tx, all, MAX_CANDIDATES), MAX_CANDIDATES)
  const cost = await costOf()
  if (isOfMost(cost)) {
    const found = await newestMatching(tx, query, all, MAX_CANDIDATES)
    // Fewer than it takes: the newest ones are not like the others.
    if (found.length === MAX_CANDIDATES) return closed(all, found, MAX_CANDIDATES)
  }
  const few = await fewMatches(tx, query, cost, { top, listings: Number(newest) })
  if (few) return closed(all, few.slice(0, MAX_CANDIDATES), MAX_CANDIDATES)
  return newestMatches(tx, query, cost, { top, bits: runBits(cost), limit: MAX_CANDIDATES })
}

// So many listings match that even the shortest run has more of them than should be read of one.
function isOfMost({ matching }: SearchCost): boolean {
  return matching * 2 ** SHORTEST_RUN > MAX_EXPECTED_IN_A_RUN
}

// Long runs for rare words: a lookup goes through all of a word's listings, where they are fewer than the run's.
function runBits(cost: SearchCost): RunBits {
  const isShort = (bits: RunBits) =>
    cost.matching * 2 ** bits <= MAX_EXPECTED_IN_A_RUN && stepsInRun(cost, 2 ** bits) <= MAX_STEPS
  return RUN_BITS.find(isShort) ?? SHORTEST_RUN
}

/** The candidates in a window that was opened before. */
export async function candidatesIn(
  tx: Tx,
  query: SearchQuery,
  window: Window,
  { newest, costOf }: Known,
): Promise<Candidate[]> {
  if (query.indexable === '') return newestActive(tx, window, null)
  const length = window.top - window.floor
  if (length < MAX_READ_ONE_BY_ONE) return newestMatching(tx, query, window, null)
  const few = await fewMatches(tx, query, await costOf(), { top: window.top, listings: Number(newest) })
  if (few) return few.filter(({ number }) => number >= window.floor)
  const bits = RUN_BITS.find((one) => 2n ** BigInt(one) <= length) ?? SHORTEST_RUN
  return lookUp(tx, query, window, { bits, limit: null })
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
  const cutOff = found.find(isCutOff)
  const shorter = RUN_BITS.find((one) => one < bits)
  if (!cutOff || !shorter) return closed(window, found, limit)
  // More than was expected: from that run on shorter ones will do.
  const whole = found.slice(0, found.indexOf(cutOff))
  const end = ((run(cutOff.number) + 1n) << BigInt(bits)) - 1n
  const rest = { top: end < top ? end : top, bits: shorter, limit: limit - whole.length }
  const below = await newestMatches(tx, query, cost, rest)
  return { window: { top, floor: below.window.floor }, listings: [...whole, ...below.listings] }
}

function maxRuns(cost: SearchCost, bits: RunBits): number {
  return Math.max(1, Math.floor(MAX_STEPS / stepsInRun(cost, 2 ** bits)))
}

/** A window ends with the last candidate that may be ranked. */
function closed(window: Window, listings: Candidate[], limit: number): Candidates {
  return { window: { ...window, floor: listings[limit - 1]?.number ?? window.floor }, listings }
}
