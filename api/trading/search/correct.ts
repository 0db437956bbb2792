import { sql } from 'kysely'
import type { Tx } from '../../platform/db/pool.ts'

// Below Postgres' default of 0.3, for short words: "pyhton" shares 3 of 11 trigrams with "python".
const MIN_SIMILARITY = '0.2'
const MAX_SIMILAR = 50
/** The most words that are corrected: the first ones. */
export const MAX_CORRECTIONS = 4
const WORD = /\p{L}{3,32}/gu

/**
 * Returns the text with each word that no listing has replaced by the most similar word of a listing, at most
 * four of them. If none is similar to the last word, it is completed to the shortest word that begins with
 * it. Returns undefined if there is nothing to correct.
 */
export async function correctText(tx: Tx, text: string): Promise<string | undefined> {
  return replaceUnknown(text, (words) => readUnknownWords(tx, words))
}

/**
 * A word that no listing has, as typed and folded; the similar words of listings; and the shortest word that
 * begins with it.
 */
export interface UnknownWord {
  word: string
  folded: string
  similar: string[]
  completion: string | null
}

/**
 * Returns the text with its unknown words replaced by the nearest similar ones, the last also by its
 * completion. `read` is given its words in lower case, each once, and returns the unknown ones. Undefined if
 * there is nothing to correct.
 */
export async function replaceUnknown(
  text: string,
  read: (words: string[]) => Promise<UnknownWord[]>,
): Promise<string | undefined> {
  const typed = text.normalize('NFC')
  const words = typed.toLowerCase().match(WORD) ?? []
  if (words.length === 0) return undefined
  const corrections = new Map<string, string>()
  for (const { word, folded, similar, completion } of await read([...new Set(words)])) {
    const correction = nearest(folded, similar) ?? (word === words.at(-1) ? completion : null)
    if (correction !== null) corrections.set(word, correction)
  }
  if (corrections.size === 0) return undefined
  return typed.replaceAll(WORD, (word) => corrections.get(word.toLowerCase()) ?? word)
}

// Words consist only of letters, so none contains a wildcard of LIKE.
async function readUnknownWords(tx: Tx, words: string[]): Promise<UnknownWord[]> {
  await sql`select set_config('pg_trgm.similarity_threshold', ${MIN_SIMILARITY}, true)`.execute(tx)
  const { rows } = await sql<UnknownWord>`
    select unknown.word, folded,
      array(
        select known.word from market.search_words known
        where known.word operator(trgm.%) folded and abs(length(known.word) - length(folded)) <= 2
        order by trgm.similarity(known.word, folded) desc, known.word limit ${MAX_SIMILAR}) as similar,
      (select known.word from market.search_words known
        where known.word like folded || '%' order by length(known.word), known.word limit 1) as completion
    from (
      select word, folded
      from unnest(${words}::text[]) with ordinality typed (word, place), lateral (select market.folded(word) as folded) folding
      where numnode(market.text_query(word)) > 0
        and not exists (select from market.search_words known where known.word = folded)
      order by place limit ${MAX_CORRECTIONS}) unknown`.execute(tx)
  return rows
}

function nearest(word: string, similar: readonly string[]): string | null {
  const maxDistance = word.length <= 4 ? 1 : 2
  const [best] = similar
    .map((known) => ({ known, distance: editDistance(word, known) }))
    .filter(({ distance }) => distance <= maxDistance)
    .sort((one, other) => one.distance - other.distance)
  return best?.known ?? null
}

/**
 * Returns how many letters must be inserted, deleted, replaced or swapped with their neighbour to turn one
 * word into another: the optimal string alignment distance.
 */
function editDistance(from: string, to: string): number {
  const source = [...from]
  const target = [...to]
  let beforeLast: number[] = []
  let last = Array.from({ length: target.length + 1 }, (_, column) => column)
  for (const [row, letter] of source.entries()) {
    const current = [row + 1]
    for (const [column, other] of target.entries()) {
      const replaced = at(last, column) + (letter === other ? 0 : 1)
      const isSwapped = column > 0 && row > 0 && letter === target[column - 1] && source[row - 1] === other
      const swapped = isSwapped ? at(beforeLast, column - 1) + 1 : Number.POSITIVE_INFINITY
      current.push(Math.min(replaced, at(last, column + 1) + 1, at(current, column) + 1, swapped))
    }
    beforeLast = last
    last = current
  }
  return at(last, target.length)
}

function at(distances: readonly number[], index: number): number {
  return distances[index] ?? Number.POSITIVE_INFINITY
}
