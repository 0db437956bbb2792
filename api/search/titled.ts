import { sql } from 'kysely'
import type { Tx } from '../db/pool.ts'
import type { Candidates, Window } from './runs.ts'

const MAX_TITLED = 100

/**
 * The newest listings, at most a hundred, that are titled just as it was typed but for capitals and quotes. They are
 * candidates however old they are.
 */
export async function openTitled(tx: Tx, text: string, top: bigint): Promise<Candidates> {
  const numbers = await titled(tx, text, { top, floor: 0n }, MAX_TITLED)
  return { window: { top, floor: numbers[MAX_TITLED - 1] ?? 0n }, numbers }
}

/** The same for a later page. */
export async function titledIn(tx: Tx, text: string, window: Window): Promise<Candidates> {
  return { window, numbers: await titled(tx, text, window, null) }
}

async function titled(tx: Tx, text: string, { top, floor }: Window, limit: number | null): Promise<bigint[]> {
  const title = text.replaceAll('"', '').trim()
  if (title === '') return []
  const { rows } = await sql<{ number: bigint }>`
    select number from market.asks
    where active and lower(title) = lower(${title}) and number between ${floor} and ${top}
    order by number desc limit ${limit}`.execute(tx)
  return rows.map(({ number }) => number)
}
