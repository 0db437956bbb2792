import type { Tx } from '../db/pool.ts'
import { statement } from '../db/statement.ts'
import { ASK_COLUMNS, type AskRow } from '../market/find.ts'
import type { SearchQuery } from './query.ts'
import type { Candidate } from './runs.ts'

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

const everything = selectBest('true', '0')
// As @@ does it, but without its index: the candidates are few, and matches may be a share of all listings.
const matching = selectBest(
  'ts_match_vq(search, $5::tsquery)',
  `greatest(1, least(${QUANTA}, round(ts_rank(ask.search, $5::tsquery) * ${QUANTA})))`,
)

// Each candidate is read where it is: the limit keeps the planner from reading all listings for it. The best are known
// before their texts are read.
function selectBest(isMatch: string, quanta: string) {
  const names = ASK_COLUMNS.join(', ')
  const columns = ASK_COLUMNS.map((name) => `ask.${name}`).join(', ')
  return statement<AskRow & Rank>(`
    with ranked as materialized (
      select candidate.place, ask.number, (${quanta})::bigint * (${QUANTUM} + seller.reputation_permille) as score
      from unnest($1::tid[]) candidate (place)
      cross join lateral (
        select number, seller_id, search from market.asks where ctid = candidate.place and ${isMatch} limit 1) ask
      join market.agents seller on seller.id = ask.seller_id
      where seller.deactivated_at is null),
    best as (
      select place, number, score from ranked where $2::bigint is null or (score, number) < ($2, $3)
      order by score desc, number desc limit $4)
    select ${columns}, best.score, best.number
    from best cross join lateral (select ${names} from market.asks where ctid = best.place limit 1) ask
    order by best.score desc, best.number desc`)
}

/** The best of the candidates behind a place, best first. Not those whose seller was deactivated. */
export async function bestOf(
  tx: Tx,
  { exact }: SearchQuery,
  candidates: readonly Candidate[],
  { behind, limit }: { behind: Rank | null; limit: number },
): Promise<Match[]> {
  if (candidates.length === 0) return []
  const values = [candidates.map(({ place }) => place), behind?.score ?? null, behind?.number ?? null, limit]
  const rows = await (exact === null ? everything(tx, values) : matching(tx, [...values, exact]))
  return rows.map(({ score, number, ...ask }) => ({ ask, rank: { score, number } }))
}
