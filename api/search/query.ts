import type { Tx } from '../db/pool.ts'
import { statement } from '../db/statement.ts'

/** A query as the database understands it. Both are the text of a tsquery. */
export interface SearchQuery {
  /** What a match must satisfy. Null for every listing. */
  exact: string | null
  /** What the index can answer, which every match satisfies: no negations, and no order of words. */
  indexable: string
}

const EVERYTHING: SearchQuery = { exact: null, indexable: '' }
// The operators of a phrase. No lexeme holds an angle bracket: the parser takes those for markup.
const FOLLOWED_BY = /<(-|\d+)>/g

// Quotes in a word are doubled. Web searches have no parentheses: these are alternatives of words.
const WORD_OR = /'(?:[^']|'')*'|\|/g

/** The words of each alternative, all of which it needs, once each. Each word is the text of a tsquery. */
export function alternativesOf({ indexable }: SearchQuery): string[][] {
  const alternatives = [new Set<string>()]
  for (const [token] of indexable.matchAll(WORD_OR)) {
    if (token === '|') alternatives.push(new Set())
    else alternatives.at(-1)?.add(token)
  }
  return alternatives.map((words) => [...words])
}

// Dashes with nothing to exclude between them. Postgres puts each on a stack of 32, and refuses more; two undo each other.
const DASHES = /-(?:(?:[\p{White_Space}!&|()]|or(?![-_\p{L}\p{N}]))*-)+/giu

// Compiling a plan takes longer than any search, and Postgres does so by what it expects at worst: not in this transaction.
const selectParsed = statement<SearchQuery>(`
  select query::text as exact, case querytree(query) when 'T' then '' else querytree(query) end as indexable,
    set_config('jit', 'off', true)
  from websearch_to_tsquery('pg_catalog.english', $1) query
  where numnode(query) > 0`)

/**
 * Reads what somebody typed, in the syntax of web searches: nothing is an error. Undefined for words that no listing is
 * found by, such as "the".
 */
export async function parseQuery(tx: Tx, text: string): Promise<SearchQuery | undefined> {
  if (text.trim() === '') return EVERYTHING
  const [parsed] = await selectParsed(tx, [text.replaceAll(DASHES, oneDashOrNone)])
  return parsed && { exact: parsed.exact, indexable: parsed.indexable.replaceAll(FOLLOWED_BY, '&') }
}

function oneDashOrNone(dashes: string): string {
  return dashes.replaceAll(/[^-]/g, '').length % 2 === 1 ? '-' : ' '
}
