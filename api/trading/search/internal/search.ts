import type { Tx } from '../../../platform/db/pool.ts'
import type { AskRow } from '../../asks/find.ts'
import { correctText } from '../correct.ts'
import { Deadline } from '../deadline.ts'
import { findMatches } from './matches.ts'
import type { Position } from './position.ts'
import type { Wanted } from './wanted.ts'

const MAX_SEARCH_MS = 500

/** What to search for, and where the page begins. */
export interface SearchInput extends Wanted {
  from: Position | undefined
  limit: number
}

/**
 * A page of matches, the position of the next page if there is one, and the text searched for if it was
 * corrected.
 */
export interface SearchPage {
  asks: AskRow[]
  next: Position | null
  corrected: string | null
}

/**
 * Finds listings by their words, in the order wanted: best first, newest first or cheapest first. If nothing
 * matches, misspelt words are corrected. An unchanged listing is on at most one page of a search, and the
 * pages have none made after the first. Throws search/timed-out (503) after half a second.
 */
export async function searchAsks(tx: Tx, { from, limit, ...wanted }: SearchInput): Promise<SearchPage> {
  const deadline = new Deadline(MAX_SEARCH_MS)
  const find = (corrected: string | null) =>
    deadline.run(tx, () => readPage(tx, { ...wanted, text: corrected ?? wanted.text }, { corrected, from, limit }))
  const page = await find(from?.corrected ?? null)
  if (page.asks.length > 0 || from) return page
  const corrected = await deadline.run(tx, () => correctText(tx, wanted.text))
  if (corrected === undefined) return page
  const second = await find(corrected)
  return second.asks.length > 0 ? second : page
}

interface PageInput extends Pick<SearchInput, 'from' | 'limit'> {
  corrected: string | null
}

async function readPage(tx: Tx, wanted: Wanted, { corrected, from, limit }: PageInput): Promise<SearchPage> {
  // Reads one row more than the page holds, to know whether another page follows.
  const found = await findMatches(tx, wanted, { newest: from?.newest, behind: from?.behind, limit: limit + 1 })
  const matches = found.slice(0, limit)
  const last = matches.at(-1)
  const next =
    last && found.length > limit ? { corrected, newest: from?.newest ?? last.newest, behind: last.rank } : null
  return { asks: matches.map(({ ask }) => ask), next, corrected }
}
