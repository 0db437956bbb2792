import { sql } from 'kysely'
import type { Tx } from '../db/pool.ts'
import { editDistance } from './distance.ts'

// Below Postgres' default of 0.3, for short words: "pyhton" shares 3 of 11 trigrams with "python".
const MIN_SIMILARITY = '0.2'
const MAX_SIMILAR = 50
const MAX_CORRECTIONS = 4
const WORD = /\p{L}{3,32}/gu

/**
 * The query with each word that no listing has replaced by the most similar one that some listing has; at most four of
 * them. Where none is similar to the last word, it is taken for the start of one. Undefined where there is nothing to
 * correct.
 */
export async function correctQuery(tx: Tx, text: string): Promise<string | undefined> {
  const unknown = await unknownWords(tx, text)
  const corrections = new Map<string, string>()
  for (const word of unknown.slice(0, MAX_CORRECTIONS)) {
    const correction = (await nearestWord(tx, word)) ?? (isLast(text, word) ? await completed(tx, word) : undefined)
    if (correction !== undefined) corrections.set(word, correction)
  }
  if (corrections.size === 0) return undefined
  return text.replaceAll(WORD, (word) => corrections.get(word.toLowerCase()) ?? word)
}

async function unknownWords(tx: Tx, text: string): Promise<string[]> {
  const words = [...new Set(text.toLowerCase().match(WORD))]
  const { rows } = await sql<{ word: string }>`
    select word from unnest(${words}::text[]) with ordinality asked (word, place)
    where numnode(plainto_tsquery('pg_catalog.english', word)) > 0
      and not exists (select from market.search_words known where known.word = asked.word)
    order by place`.execute(tx)
  return rows.map(({ word }) => word)
}

function isLast(text: string, word: string): boolean {
  return text.toLowerCase().match(WORD)?.at(-1) === word
}

// The shortest, because it says least that was not typed. Words of letters alone have no wildcards.
async function completed(tx: Tx, start: string): Promise<string | undefined> {
  const { rows } = await sql<{ word: string }>`
    select word from market.search_words where word like ${`${start}%`} order by length(word), word limit 1`.execute(tx)
  return rows[0]?.word
}

async function nearestWord(tx: Tx, word: string): Promise<string | undefined> {
  const maxDistance = word.length <= 4 ? 1 : 2
  await sql`select set_config('pg_trgm.similarity_threshold', ${MIN_SIMILARITY}, true)`.execute(tx)
  const { rows } = await sql<{ word: string }>`
    select word from market.search_words
    where word % ${word} and length(word) between ${word.length - maxDistance} and ${word.length + maxDistance}
    order by similarity(word, ${word}) desc, word
    limit ${MAX_SIMILAR}`.execute(tx)
  const [nearest] = rows
    .map((row) => ({ word: row.word, distance: editDistance(word, row.word) }))
    .filter(({ distance }) => distance <= maxDistance)
    .sort((one, other) => one.distance - other.distance)
  return nearest?.word
}
