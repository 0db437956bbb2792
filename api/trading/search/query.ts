import { sql } from 'kysely'
import type { Tx } from '../../platform/db/pool.ts'

/**
 * A search text, parsed: queries as text that Postgres reads as a tsquery, so that the planner knows their
 * words.
 */
export interface Query {
  /** The condition that a match satisfies. Empty, it matches nothing. */
  exact: string
  /** Only the words of a match, without their order and without negations: what an index can answer. */
  words: string
  /** Any of these words: used to find the passage that has most of them. */
  any: string
  /** The key of the title that was typed as a whole, or null for a text that leaves words out. */
  title: string | null
}

/**
 * Parses a search text in the syntax of web searches, with the words that market.words (words.sql) makes of a
 * text. Every text is valid. A text of only stop words, such as "the", has no words, and matches listings
 * with this title.
 */
export async function parseQuery(tx: Tx, text: string): Promise<Query> {
  // querytree removes negations, and returns T if nothing is left: then everything without the word ' ' may
  // match, which no listing has. No word contains one of the operators that are replaced.
  const { rows } = await sql<Query>`
    select exact::text, words, replace(words, '&', '|') as any,
      case when ${text}::text !~ '(^|\\s)-+[^-[:space:]]' then market.title_key(replace(${text}, '"', '')) end as title
    from (select market.text_query(${text}) as exact offset 0) parsed,
      lateral (select coalesce(
        nullif(regexp_replace(querytree(exact), '<(-|[0-9]+)>', '&', 'g'), 'T'), '!'' ''') as words) with_words`.execute(
    tx,
  )
  const [query] = rows
  if (!query) throw new Error('a statement without a table returned no row')
  return query
}

/** The words of a search text as they were typed, in small letters. */
export function typedWords(text: string): string[] {
  return text.toLowerCase().match(/[^\s"]+/g) ?? []
}
