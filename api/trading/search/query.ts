import { type RawBuilder, sql } from 'kysely'

// Dashes that exclude nothing. Postgres refuses more than 32 negations of one operand, and two cancel each other.
const DASHES = /-(?:(?:[\p{White_Space}!&|()]|or(?![-_\p{L}\p{N}]))*-)+/giu

/** A search text in SQL, as expressions of type tsquery that the planner evaluates before it plans. */
export interface Query {
  /** The condition that a match satisfies. */
  exact: RawBuilder<string>
  /** Only the words of a match, without their order and without negations: what an index can answer. */
  words: RawBuilder<string>
}

/**
 * Parses a search text in the syntax of web searches. Every text is valid. A text of only stop words, such as "the",
 * matches no listing.
 */
export function parseQuery(text: string): Query {
  const exact = sql<string>`websearch_to_tsquery('pg_catalog.english', ${text.replaceAll(DASHES, oneDashOrNone)})`
  // querytree removes negations, and returns T if nothing is left: then everything without the word ' ' may match, a
  // word that no listing has. No word contains an angle bracket, so each one belongs to an operator that requires an
  // order.
  const words = sql<string>`coalesce(
    nullif(regexp_replace(querytree(${exact}), '<(-|[0-9]+)>', '&', 'g'), 'T'), '!'' ''')::tsquery`
  return { exact, words }
}

function oneDashOrNone(dashes: string): string {
  return dashes.replaceAll(/[^-]/g, '').length % 2 === 1 ? '-' : ' '
}
