import type { Tx } from '../db/pool.ts'
import { statement } from '../db/statement.ts'
import type { Candidate, Candidates, Window } from './runs.ts'

const MAX_TITLED = 100

const selectTitled = statement<Candidate>(`
  select number, ctid::text as place from market.asks
  where active and lower(title) = lower($1) and number between $2 and $3
  order by number desc limit $4`)

/**
 * The newest listings, at most a hundred, that are titled just as it was typed but for capitals and quotes. They are
 * candidates however old they are.
 */
export async function newestTitled(tx: Tx, text: string): Promise<Candidate[]> {
  return titled(tx, text, { top: NO_NUMBER_IS_HIGHER, floor: 0n }, MAX_TITLED)
}

/** Those of the newest listing and the ones before it. */
export function openTitled(listings: Candidate[], top: bigint): Candidates {
  return { window: { top, floor: listings[MAX_TITLED - 1]?.number ?? 0n }, listings }
}

/** The same for a later page. */
export async function titledIn(tx: Tx, text: string, window: Window): Promise<Candidates> {
  return { window, listings: await titled(tx, text, window, null) }
}

const NO_NUMBER_IS_HIGHER = 2n ** 63n - 1n

async function titled(tx: Tx, text: string, { top, floor }: Window, limit: number | null): Promise<Candidate[]> {
  const title = text.replaceAll('"', '').trim()
  return title === '' ? [] : selectTitled(tx, [title, floor, top, limit])
}
