import type { Tx } from '../../platform/db/pool.ts'
import type { AskRow } from '../asks/find.ts'
import { correctText } from './correct.ts'
import { Deadline } from './deadline.ts'
import { findMatches } from './matches.ts'
import type { Position } from './position.ts'

const MAX_SEARCH_MS = 500

/** The text to search for, and where the page begins. */
export interface SearchInput {
  text: string
  from: Position | undefined
  limit: number
}

/** A page of matches, the position of the next page if there is one, and the text searched for if it was corrected. */
export interface SearchPage {
  asks: AskRow[]
  next: Position | null
  corrected: string | null
}

/**
 * Finds listings by their words, best first. If nothing matches, misspelt words are corrected. The pages of a search
 * rank the same candidates: an unchanged listing is on at most one of them. Throws search/timed-out (503) after half a
 * second.
 */
export async function searchAsks(tx: Tx, { text, from, limit }: SearchInput): Promise<SearchPage> {
  const deadline = new Deadline(MAX_SEARCH_MS)
  const find = (corrected: string | null) =>
    deadline.run(tx, () => readPage(tx, corrected ?? text, { corrected, from, limit }))
  const page = await find(from?.corrected ?? null)
  if (page.asks.length > 0 || from) return page
  const corrected = await deadline.run(tx, () => correctText(tx, text))
  if (corrected === undefined) return page
  const second = await find(corrected)
  return second.asks.length > 0 ? second : page
}

type PageInput = Omit<SearchInput, 'text'> & { corrected: string | null }

async function readPage(tx: Tx, text: string, { corrected, from, limit }: PageInput): Promise<SearchPage> {
  // Reads one row more than the page holds, to know whether another page follows.
  const found = await findMatches(tx, text, { newest: from?.newest, behind: from?.behind, limit: limit + 1 })
  const matches = found.slice(0, limit)
  const last = matches.at(-1)
  const next =
    last && found.length > limit ? { corrected, newest: from?.newest ?? last.newest, behind: last.rank } : null
  return { asks: matches.map(({ ask }) => ask), next, corrected }
}
