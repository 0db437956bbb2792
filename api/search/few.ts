import type { Tx } from '../db/pool.ts'
import { statement } from '../db/statement.ts'
import { MAX_STEPS, type SearchCost, STEPS_A_ROW, stepsOfAll } from './cost.ts'
import { alternativesOf, type SearchQuery } from './query.ts'
import type { Candidate } from './runs.ts'

// Up to here it is cheaper to look at every listing, each on a page of its own, than to look run by run.
const FEW = 1_000
const TOO_MANY = 4 * FEW

// Alternatives one by one, as in lookUp. A row that tells that they are too many is kept whether it matches or not.
const selectFew = statement<Candidate & { ordinal: bigint }>(`
  select distinct on (looked.number) looked.number, looked.place::text as place, looked.ordinal
  from unnest($1::text[], $2::text[]) alternative (sought, needed)
  cross join lateral (
    select number, place, ordinal from (
      select number, ctid as place, search, row_number() over () as ordinal from market.asks
      where search @@ sought::tsquery and number + 0 <= $3
      limit $4) found
    where sought = needed or ordinal = $4 or ts_match_vq(search, needed::tsquery)) looked
  order by looked.number desc, looked.ordinal desc`)

/** All matches up to `top`, the newest first; undefined where too many listings would have to be looked at. */
export async function fewMatches(
  tx: Tx,
  query: SearchQuery,
  cost: SearchCost,
  { top, listings }: { top: bigint; listings: number },
): Promise<Candidate[] | undefined> {
  const needed = alternativesOf(query).map((words) => words.join(' & '))
  const sought = soughtBy(cost, listings, needed)
  if (!sought) return undefined
  const found = await selectFew(tx, [sought, needed, top, TOO_MANY])
  return found.some(({ ordinal }) => ordinal === BigInt(TOO_MANY)) ? undefined : found
}

// By all of its words, or by the rarest alone and then by the listings' own words: where that is rare enough, it spares the
// entries of words that most listings have.
function soughtBy(cost: SearchCost, listings: number, needed: string[]): string[] | undefined {
  const ofRarest = listings * cost.alternatives.reduce((sum, { rarestShare }) => sum + rarestShare, 0)
  const steps = stepsOfAll(cost, listings)
  if (ofRarest <= FEW && ofRarest * STEPS_A_ROW < steps) return cost.alternatives.map(({ rarest }) => rarest)
  return listings * cost.matching <= FEW && steps <= MAX_STEPS ? needed : undefined
}
