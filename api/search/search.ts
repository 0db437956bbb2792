import type { Tx } from '../db/pool.ts'
import type { AskRow } from '../market/find.ts'
import { candidatesIn, type Known, openWindow } from './candidates.ts'
import { correctQuery } from './correct.ts'
import { expectedCost, type SearchCost } from './cost.ts'
import { type Listed, readListed } from './listed.ts'
import type { Position, Start } from './position.ts'
import { parseQuery, type SearchQuery } from './query.ts'
import { bestOf, type Match } from './rank.ts'
import type { Candidate, Candidates, Window } from './runs.ts'
import { newestTitled, openTitled, titledIn } from './titled.ts'

// A query whose candidates are many and matches few, a phrase of common words say, goes on in the next request.
const MAX_WINDOWS = 2

/** What is searched for, from where on. */
export interface SearchInput {
  text: string
  from: Position | undefined
  limit: number
}

/** A page of matches: where the next one begins, if there may be one, and what was searched for, if it was not the text. */
export interface SearchPage {
  asks: AskRow[]
  next: Position | null
  corrected: string | null
}

/**
 * Finds listings by their words, window by window from the newest on, each window ranked on its own. The first has also
 * those titled just as the text, however old. Where nothing matches at all, misspelt words are corrected. A listing that
 * stands unchanged through all pages is on exactly one.
 */
export async function searchAsks(tx: Tx, { text, from, limit }: SearchInput): Promise<SearchPage> {
  if (from) {
    const searched = from.corrected ?? text
    // What is asked without waiting travels together.
    const asked = [readListed(tx), parseQuery(tx, searched), titledIn(tx, searched, from.titled)] as const
    const [listed, query, titled] = await Promise.all(asked)
    return search(tx, query, { ...from, listed, titled }, limit)
  }
  const page = await begin(tx, text, null, limit)
  if (page.asks.length > 0 || page.next) return page
  const corrected = await correctQuery(tx, text)
  if (corrected === undefined) return page
  const second = await begin(tx, corrected, corrected, limit)
  return second.asks.length > 0 || second.next ? second : page
}

async function begin(tx: Tx, text: string, corrected: string | null, limit: number): Promise<SearchPage> {
  const [listed, query, titled] = await Promise.all([readListed(tx), parseQuery(tx, text), newestTitled(tx, text)])
  const top = listed.newest
  return search(tx, query, { corrected, listed, titled: openTitled(titled, top), at: { top } }, limit)
}

interface Progress {
  corrected: string | null
  listed: Listed
  titled: Candidates
  at: Start
}

async function search(tx: Tx, query: SearchQuery | undefined, progress: Progress, limit: number): Promise<SearchPage> {
  if (!query) return { asks: [], next: null, corrected: null }
  const { corrected, titled } = progress
  const { matches, end } = await collect(tx, query, progress, limit)
  const next = end && { corrected, titled: titled.window, at: end }
  return { asks: matches.map(({ ask }) => ask), next, corrected }
}

/** The next matches, and where they end: null behind the last of all. */
async function collect(
  tx: Tx,
  query: SearchQuery,
  { listed, titled, at: start }: Progress,
  limit: number,
): Promise<{ matches: Match[]; end: Start | null }> {
  const matches: Match[] = []
  let cost: Promise<SearchCost> | undefined
  const costOf = () => (cost ??= expectedCost(tx, query, listed.countOfWords))
  const known = { newest: titled.window.top, costOf }
  let at = start
  for (let windows = 0; windows < MAX_WINDOWS; windows++) {
    const { window, listings } = await candidatesAt(tx, query, at, known)
    const behind = 'top' in at ? null : at.behind
    const wanted = limit - matches.length
    // One more tells whether any follow.
    const best = await bestOf(tx, query, withTitled(window, listings, titled), { behind, limit: wanted + 1 })
    matches.push(...best.slice(0, wanted))
    const last = matches.at(-1)
    if (last && best.length > wanted) return { matches, end: { window, behind: last.rank } }
    if (window.floor === 0n) return { matches, end: null }
    at = { top: window.floor - 1n }
    if (matches.length === limit) break
  }
  return { matches, end: at }
}

async function candidatesAt(tx: Tx, query: SearchQuery, at: Start, known: Known): Promise<Candidates> {
  if ('top' in at) return openWindow(tx, query, { top: at.top, ...known })
  return { window: at.window, listings: await candidatesIn(tx, query, at.window, known) }
}

/** What is titled as the text is a candidate of the first window, and of no other. */
function withTitled(window: Window, listings: readonly Candidate[], titled: Candidates): Candidate[] {
  const isFirst = window.top === titled.window.top
  const known = new Set((isFirst ? listings : titled.listings).map(({ number }) => number))
  const others = (isFirst ? titled.listings : listings).filter(({ number }) => !known.has(number))
  return isFirst ? [...listings, ...others] : others
}
