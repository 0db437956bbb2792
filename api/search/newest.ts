import type { Tx } from '../db/pool.ts'
import { statement } from '../db/statement.ts'
import type { SearchQuery } from './query.ts'
import type { Candidate, Window } from './runs.ts'

/** How many listings are read one by one: as many as the shortest run holds. */
export const MAX_READ_ONE_BY_ONE = 2_048

const selectMatching = statement<Candidate>(`
  select number, place::text as place from (
    select number, ctid as place, search from market.asks
    where number between $1 and $2 order by number desc limit ${MAX_READ_ONE_BY_ONE}) newest
  where ts_match_vq(search, $3::tsquery)
  order by number desc limit $4`)

/**
 * The matches among the newest listings of a window, newest first: read one by one, for what so many listings match that
 * to read a run of them whole takes longer.
 */
export async function newestMatching(
  tx: Tx,
  { indexable }: SearchQuery,
  { top, floor }: Window,
  limit: number | null,
): Promise<Candidate[]> {
  return selectMatching(tx, [floor, top, indexable, limit])
}

const selectActive = statement<Candidate>(`
  select number, ctid::text as place from market.asks
  where active and number between $1 and $2 order by number desc limit $3`)

/** The newest active listings of a window, whatever their words. */
export async function newestActive(tx: Tx, { top, floor }: Window, limit: number | null): Promise<Candidate[]> {
  return selectActive(tx, [floor, top, limit])
}
