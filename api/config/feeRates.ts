import { sql } from 'kysely'
import { type FeeRate, requireWithinCap } from '../../protocol/payments/fees.ts'
import { readClock } from '../platform/db/clock.ts'
import type { Tx } from '../platform/db/pool.ts'

// Any constant. The lock makes processes that start at the same time check one after another.
const LOCK = 8_120_447_331n

/**
 * Stores the fee rates of the settings, and throws an Error if they differ from the stored past rates:
 * receipts are checked against past rates, and a signed list that differs from an earlier one proves that one
 * of them is false. A rate that is announced can change until it is in force.
 */
export async function keepFeeRates(tx: Tx, rates: readonly FeeRate[]): Promise<void> {
  requireWithinCap(rates)
  await sql`select pg_advisory_xact_lock(${LOCK})`.execute(tx)
  const now = await readClock(tx)
  const stored = await tx.selectFrom('market.fee_rates').selectAll().orderBy('starts_at').execute()
  const wanted = rates.map(({ from, feeBps }) => ({ starts_at: from, fee_bps: feeBps }))
  if (textOf(wanted) === textOf(stored)) return
  const [past, former] = [wanted, stored].map((list) => textOf(list.filter(({ starts_at }) => starts_at <= now)))
  if (stored.length > 0 && past !== former) {
    throw new Error(`FEE_RATES differs about the past: in force were ${former}, and it has ${past}`)
  }
  const [starts, bps] = [wanted.map((rate) => rate.starts_at), wanted.map((rate) => rate.fee_bps)]
  await sql`select market.keep_fee_rates(${starts}::timestamptz[], ${bps}::integer[])`.execute(tx)
}

function textOf(rates: readonly { starts_at: Date; fee_bps: number }[]): string {
  return rates.map(({ starts_at: from, fee_bps: feeBps }) => `${from.toISOString()}=${feeBps}`).join(', ')
}
