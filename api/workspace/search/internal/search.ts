import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/pool.ts'
import { MAX_CORRECTIONS, replaceUnknown, type UnknownWord } from '../../../trading/search/correct.ts'
import { Deadline } from '../../../trading/search/deadline.ts'
import { mayRead, type Reader } from '../../membership.ts'
import { findHits, type HitRow, type Wanted } from './find.ts'
import type { Position } from './position.ts'

/**
 * How many titles are read, of the newest things in the org, because a search that finds nothing must be
 * quick too.
 */
const MAX_TITLES = 2_000
const MAX_SIMILAR = 50
// As for listings: "pyhton" shares 3 of 11 trigrams with "python".
const MIN_SIMILARITY = 0.2
const MAX_CORRECTION_MS = 500

/**
 * A list of hits, the position of the next list if there is one, and the text that was searched for if it was
 * corrected.
 */
interface HitPage {
  hits: HitRow[]
  next: Position | null
  corrected: string | null
}

/**
 * Finds things that a reader sees in an org by their words, best first. If nothing has the words, corrects
 * misspelt ones. Throws search/timed-out (503) if it takes too long.
 */
export async function searchOrg(
  tx: Tx,
  reader: Reader,
  wanted: Wanted,
  { from, limit }: { from: Position | undefined; limit: number },
): Promise<HitPage> {
  const find = (corrected: string | null) => readPage(tx, reader, wanted, { corrected, from, limit })
  const page = await find(from?.corrected ?? null)
  if (page.hits.length > 0 || from) return page
  const corrected = await new Deadline(MAX_CORRECTION_MS).run(tx, () => correctText(tx, reader, wanted.text))
  if (corrected === undefined) return page
  const second = await find(corrected)
  return second.hits.length > 0 ? second : page
}

async function readPage(
  tx: Tx,
  reader: Reader,
  wanted: Wanted,
  { corrected, from, limit }: { corrected: string | null; from: Position | undefined; limit: number },
): Promise<HitPage> {
  // Reads one row more than the page holds, to know whether another page follows.
  const text = corrected ?? wanted.text
  const found = await findHits(tx, reader, { ...wanted, text }, { from, limit: limit + 1 })
  const hits = found.slice(0, limit)
  const last = hits.at(-1)
  const next = last && found.length > limit ? { newest: from?.newest ?? last.newest, behind: last, corrected } : null
  return { hits, next, corrected }
}

/**
 * Returns a search text with misspelt words corrected to words of titles that the reader sees, so that it
 * reveals no word of things that they may not read. Undefined if there is nothing to correct.
 */
function correctText(tx: Tx, reader: Reader, text: string): Promise<string | undefined> {
  return replaceUnknown(text, async (words) => {
    const { rows } = await sql<UnknownWord>`
      with newest as (
        select title, space_id from market.search_documents
        where org_id = ${reader.orgId} and not is_trashed order by id desc limit ${MAX_TITLES}),
      known as materialized (
        select distinct word from newest, regexp_split_to_table(market.folded(title), '[^[:alpha:]]+') word
        where title is not null and length(word) between 3 and 32 and ${mayRead(reader, 'newest.space_id')})
      select unknown.word, folded,
        array(
          select known.word from known
          where abs(length(known.word) - length(folded)) <= 2
            and trgm.similarity(known.word, folded) >= ${MIN_SIMILARITY}
          order by trgm.similarity(known.word, folded) desc, known.word limit ${MAX_SIMILAR}) as similar,
        (select known.word from known where starts_with(known.word, folded)
          order by length(known.word), known.word limit 1) as completion
      from (
        select word, folded
        from unnest(${words}::text[]) with ordinality typed (word, place), lateral (select market.folded(word) as folded) folding
        where numnode(market.text_query(word)) > 0
          and not exists (select from known where known.word = folded)
        order by place limit ${MAX_CORRECTIONS}) unknown`.execute(tx)
    return rows
  })
}
