import { type RawBuilder, sql } from 'kysely'

// Dashes that exclude nothing. Postgres refuses more than 32 negations of one operand, and two cancel each other.
const DASHES = /-(?:(?:[\p{White_Space}!&|()]|or(?![-_\p{L}\p{N}]))*-)+/giu

// The same characters as in the index (schema.sql).
const UNSPACED =
  /[\u3005-\u3007\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f\u{20000}-\u{3ffff}]+/gu

/** A search text in SQL, as expressions of type tsquery that the planner evaluates before it plans. */
export interface Query {
  /** The condition that a match satisfies. */
  exact: RawBuilder<string>
  /** Only the words of a match, without their order and without negations: what an index can answer. */
  words: RawBuilder<string>
}

/**
 * Parses a search text in the syntax of web searches. Every text is valid. A text of only stop words, such as "the",
 * matches no listing. A word of Chinese, Japanese or Korean, within a longer run of characters too, is found by the pairs in it.
 */
export function parseQuery(text: string): Query {
  const exact = sql<string>`websearch_to_tsquery('pg_catalog.english', ${spaced(text.replaceAll(DASHES, oneDashOrNone))})`
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

/** The first run of a search text that is written without spaces, or an empty text. */
export function firstUnspaced(text: string): string {
  return text.match(UNSPACED)?.[0] ?? ''
}

function spaced(text: string): string {
  const isQuoted = (at: number) => text.slice(0, at).split('"').length % 2 === 0
  return text.replaceAll(UNSPACED, (run, at: number) => {
    const characters = [...run]
    const pairs = characters.slice(1).map((character, index) => `${characters[index]}${character}`)
    const words = (pairs.length > 0 ? pairs : characters).join(' ')
    // What is left out, is left out as a whole.
    return text[at - 1] === '-' && !isQuoted(at) ? `"${words}"` : ` ${words} `
  })
}
