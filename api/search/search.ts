import type { Tx } from '../db/pool.ts'
import type { AskRow } from '../market/find.ts'
import { candidatesIn, newestNumber, openWindow } from './candidates.ts'
import { correctQuery } from './correct.ts'
import type { Position } from './position.ts'
import { parseQuery, type SearchQuery } from './query.ts'
import { bestOf, type Match } from './rank.ts'

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

type Start = Position['at']

/**
 * Finds listings by their words, window by window from the newest on, each window ranked on its own. Where nothing
 * matches at all, misspelt words are corrected. A listing that stands unchanged through all pages is on exactly one.
 */
export async function searchAsks(tx: Tx, { text, from, limit }: SearchInput): Promise<SearchPage> {
  if (from) return search(tx, from.corrected ?? text, { start: from.at, limit, corrected: from.corrected })
  const start = { top: await newestNumber(tx) }
  const page = await search(tx, text, { start, limit, corrected: null })
  if (page.asks.length > 0 || page.next) return page
  const corrected = await correctQuery(tx, text)
  if (corrected === undefined) return page
  const second = await search(tx, corrected, { start, limit, corrected })
  return second.asks.length > 0 || second.next ? second : page
}

async function search(
  tx: Tx,
  text: string,
  { start, limit, corrected }: { start: Start; limit: number; corrected: string | null },
): Promise<SearchPage> {
  const query = await parseQuery(tx, text)
  if (!query) return { asks: [], next: null, corrected: null }
  const { matches, end } = await collect(tx, query, start, limit)
  return { asks: matches.map(({ ask }) => ask), next: end && { corrected, at: end }, corrected }
}

/** The next matches, and where they end: null behind the last of all. */
async function collect(
  tx: Tx,
  query: SearchQuery,
  start: Start,
  limit: number,
): Promise<{ matches: Match[]; end: Start | null }> {
  const matches: Match[] = []
  let at = start
  for (let windows = 0; windows < MAX_WINDOWS; windows++) {
    const { window, numbers } =
      'top' in at
        ? await openWindow(tx, query, at.top)
        : { window: at.window, numbers: await candidatesIn(tx, query, at.window) }
    const behind = 'top' in at ? null : at.behind
    const wanted = limit - matches.length
    // One more tells whether any follow.
    const best = await bestOf(tx, query, numbers, { behind, limit: wanted + 1 })
    matches.push(...best.slice(0, wanted))
    const last = matches.at(-1)
    if (last && best.length > wanted) return { matches, end: { window, behind: last.rank } }
    if (window.floor === 0n) return { matches, end: null }
    at = { top: window.floor - 1n }
    if (matches.length === limit) break
  }
  return { matches, end: at }
}
