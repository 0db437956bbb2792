import type { Tx } from '../db/pool.ts'
import { statement } from '../db/statement.ts'

/** Which share of the listings, 0 to 1, has a word: the text of a tsquery. */
export type ShareOf = (word: string) => number

// Of a word that is not among those of most, as the planner has it (ts_selfuncs.c): half of the rarest's, and no more than this.
const MAX_SHARE_OF_OTHERS = 0.001
// Whoever asks while Postgres counts may read the count before, under the name of the new one.
const MAX_AGE_MS = 60_000

// The shares have two more behind them, of the rarest and of the most frequent word. No elements, no statistics yet.
const selectShares = statement<{ words: string[]; shares: number[]; unlisted: number }>(`
  select most_common_elems::text::text[] as words, most_common_elem_freqs as shares, null_frac as unlisted
  from pg_stats
  where schemaname = 'market' and tablename = 'asks' and attname = 'search' and most_common_elems is not null`)

let known: { countOfWords: string; readMs: number; shareOf: ShareOf } | undefined

/**
 * The shares of words by Postgres' statistics. They are some thousands, which takes some milliseconds to read, so the process
 * keeps them until they are counted anew. The planner, if it were asked, would unpack them all for each word of each query.
 */
export async function sharesOfWords(tx: Tx, countOfWords: string): Promise<ShareOf> {
  const nowMs = performance.now()
  if (known?.countOfWords === countOfWords && nowMs - known.readMs < MAX_AGE_MS) return known.shareOf
  const shareOf = await readShares(tx)
  known = { countOfWords, readMs: nowMs, shareOf }
  return shareOf
}

async function readShares(tx: Tx): Promise<ShareOf> {
  const [{ words = [], shares = [], unlisted = 0 } = {}] = await selectShares(tx, [])
  // Postgres counts those listings alone that have words.
  const listed = 1 - unlisted
  const shareOf = new Map(words.map((word, place) => [word, (shares[place] ?? 0) * listed]))
  const rarest = shares[words.length] ?? 1
  const ofOthers = Math.min(MAX_SHARE_OF_OTHERS, rarest / 2) * listed
  return (word) => shareOf.get(lexemeOf(word)) ?? ofOthers
}

// As tsqueryout writes it: in quotes, with quotes and backslashes in it doubled.
function lexemeOf(word: string): string {
  return word.slice(1, -1).replaceAll("''", "'").replaceAll('\\\\', '\\')
}
