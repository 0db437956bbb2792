import { sql } from 'kysely'
import type { Tx } from '../db/pool.ts'
import { ASK_COLUMNS, type AskRow } from '../market/find.ts'
import type { SearchQuery } from './query.ts'

// The text score is a whole number of quanta, 1 to 1000; 0 for all where there are no words. Times (quantum + reputation), where reputation is below
// quantum / 1000, it never reaches the next quantum: the bump decides among equals alone (spec 2.5.1).
const QUANTA = 1_000
const QUANTUM = 1_000_000

/** The place of a listing among the matches: by score, then the newest first. */
export interface Rank {
  score: bigint
  number: bigint
}

/** A match and its place. */
export interface Match {
  ask: AskRow
  rank: Rank
}

/** The best of the candidates behind a place, best first. Not those whose seller was deactivated. */
export async function bestOf(
  tx: Tx,
  query: SearchQuery,
  candidates: readonly bigint[],
  { behind, limit }: { behind: Rank | null; limit: number },
): Promise<Match[]> {
  if (candidates.length === 0) return []
  // As @@ does it, but without its index: the candidates are few, and matches may be a share of all listings.
  const isMatch = query.exact === null ? sql`true` : sql`ts_match_vq(ask.search, ${query.exact}::tsquery)`
  const quanta =
    query.exact === null
      ? sql`0`
      : sql`greatest(1, least(${QUANTA}, round(ts_rank(ask.search, ${query.exact}::tsquery) * ${QUANTA})))`
  const isBehind = behind ? sql`(score, number) < (${behind.score}, ${behind.number})` : sql`true`
  const columns = sql.join(ASK_COLUMNS.map((name) => sql.ref(`ask.${name}`)))
  // The best are known before their texts are read.
  const { rows } = await sql<AskRow & Rank>`
    with ranked as materialized (
      select ask.id, ask.number, (${quanta})::bigint * (${QUANTUM} + seller.reputation_permille) as score
      from market.asks ask join market.agents seller on seller.id = ask.seller_id
      where ask.number = any(${candidates.map(String)}::bigint[])
        and seller.deactivated_at is null and ${isMatch}),
    best as (
      select * from ranked where ${isBehind} order by score desc, number desc limit ${limit})
    select ${columns}, best.score, best.number
    from best join market.asks ask on ask.id = best.id
    order by best.score desc, best.number desc`.execute(tx)
  return rows.map(({ score, number, ...ask }) => ({ ask, rank: { score, number } }))
}
