import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/pool.ts'
import { ASK_COLUMNS, type AskRow } from '../../asks/find.ts'
import { parseQuery } from '../query.ts'
import { isOffered, type Wanted } from './wanted.ts'

const MAX_CANDIDATES = 500
const MAX_TITLED = 100
const MAX_WITH_WORDS = 1_000
// The text score is a whole number of quanta, from 1 to 1000, or 0 for all where there are no words. It is
// multiplied by (quantum + reputation) with a reputation below quantum / 1000, so the product never reaches
// that of the next score: reputation orders listings of equal text score only (spec 2.5.1).
const QUANTA = 1_000
const QUANTUM = 1_000_000
const HIGHEST_NUMBER = 2n ** 63n - 1n

/**
 * The rank of a listing among the matches: by score, or by price where that is the order, then newest first.
 */
export interface Rank {
  score: bigint
  number: bigint
}

/** A match, its rank, and the number of the newest candidate of its search. */
export interface Match {
  ask: AskRow
  rank: Rank
  newest: bigint
}

/** Which page of matches to read. */
export interface Page {
  /** Listings with higher numbers are not candidates. */
  newest?: bigint | undefined
  /** The last match of the previous page. */
  behind?: Rank | undefined
  limit: number
}

/** Returns the matches in the order wanted, at most `limit`. */
export function findMatches(tx: Tx, wanted: Wanted, page: Page): Promise<Match[]> {
  return wanted.sort === undefined || wanted.sort === 'relevance'
    ? findBest(tx, wanted, page)
    : findSorted(tx, wanted, page)
}

/**
 * Returns the best matches of a text, best first, at most `limit`. At most 500 listings are ranked: the
 * newest 100 with exactly this title, and the newest matches. Phrases and negations are evaluated among the
 * newest 1,000 listings that have the words. A text of stop words matches the listings with just this title.
 * An empty text matches every listing. Listings of deactivated sellers are left out.
 */
async function findBest(tx: Tx, wanted: Wanted, { newest, behind, limit }: Page): Promise<Match[]> {
  const { text } = wanted
  const { exact, words, title } = await parseQuery(tx, text)
  const hasWords = text.trim() !== ''
  const isMatch = hasWords ? sql`search @@ ${exact}::tsquery` : sql`true`
  const hasTheWords = hasWords ? sql`search @@ ${words}::tsquery` : sql`true`
  const quanta = hasWords
    ? sql`greatest(1, least(${QUANTA}, round(ts_rank(search, ${exact}::tsquery) * ${QUANTA})))`
    : sql`0`
  const isListed = sql`${isOffered(wanted)} and number <= ${newest ?? HIGHEST_NUMBER}`
  const isBehind = behind ? sql`(score, number) < (${behind.score}, ${behind.number})` : sql`true`
  const columns = sql.join(ASK_COLUMNS.map((name) => sql.ref(`ask.${name}`)))
  const { rows } = await sql<AskRow & Rank & { newest: bigint }>`
    with titled as (
      select id, number from market.asks where ${isListed} and market.title_key(title) = ${title}
      order by number desc limit ${MAX_TITLED}),
    with_words as (
      select id, number, search from market.asks where ${isListed} and ${hasTheWords}
      order by number desc limit ${MAX_WITH_WORDS}),
    matching as (
      select id, number from with_words where ${isMatch} order by number desc limit ${MAX_CANDIDATES}),
    candidates as materialized (
      select id, number, bool_or(titled) as titled
      from (select *, true as titled from titled union all select *, false from matching) found
      group by id, number order by titled desc, number desc limit ${MAX_CANDIDATES}),
    ranked as (
      select ${columns}, ask.number, (${quanta})::bigint * (${QUANTUM} + seller.reputation_permille) as score
      from candidates join market.asks ask on ask.id = candidates.id join market.agents seller on seller.id = ask.seller_id
      where (titled or ${isMatch}) and seller.deactivated_at is null)
    select *, (select max(number) from candidates) as newest from ranked
    where ${isBehind} order by score desc, number desc limit ${limit}`.execute(tx)
  return rows.map(({ score, number, newest, ...ask }) => ({ ask, rank: { score, number }, newest }))
}

/**
 * Returns the matches by age or by price, from all listings: the planner reads the index of that order, or
 * for rare words the index of words. A text of stop words matches the listings with just this title. Sellers
 * are looked up one by one: for a join, the planner guesses how many listings are left, and reads all of them
 * if they seem to be few.
 */
async function findSorted(tx: Tx, wanted: Wanted, { newest, behind, limit }: Page): Promise<Match[]> {
  const byPrice = wanted.sort === 'price'
  const isMatch = await matchOf(tx, wanted.text)
  const byAge = behind ? sql`number < ${behind.number}` : sql`true`
  const isBehind =
    behind && byPrice ? sql`(price_micros, -number) > (${behind.score}::bigint, ${-behind.number}::bigint)` : byAge
  const columns = sql.join(ASK_COLUMNS.map((name) => sql.ref(`ask.${name}`)))
  const { rows } = await sql<AskRow & Rank & { newest: bigint }>`
    select ${columns}, number, ${byPrice ? sql`price_micros` : sql`0::bigint`} as score,
      coalesce(${newest ?? null}::bigint, (select max(number) from market.asks where active)) as newest
    from market.asks ask
    where ${isOffered(wanted)} and ${isMatch} and number <= ${newest ?? HIGHEST_NUMBER}
      and ${isBehind}
      and (select seller.deactivated_at is null from market.agents seller where seller.id = seller_id)
    order by ${byPrice ? sql`price_micros, -number` : sql`number desc`} limit ${limit}`.execute(tx)
  return rows.map(({ score, number, newest, ...ask }) => ({ ask, rank: { score, number }, newest }))
}

async function matchOf(tx: Tx, text: string) {
  if (text.trim() === '') return sql`true`
  const { exact, title } = await parseQuery(tx, text)
  return exact === '' ? sql`market.title_key(title) = ${title}` : sql`search @@ ${exact}::tsquery`
}
