import { sql } from 'kysely'
import type { Tx } from '../../platform/db/pool.ts'

/**
 * Returns what must be paid out of the hot wallet: payouts that are pending, waiting for a wallet, or submitted;
 * micro-units.
 */
export async function duePayoutMicros(tx: Tx): Promise<bigint> {
  const { rows } = await sql<{ due: bigint }>`
    select (
      (select coalesce(sum(amount_micros), 0) from market.payouts where state in ('pending', 'blocked'))
      + (select coalesce(sum((payload->>'amount')::numeric), 0) from market.intents
         where closed_at is null and kind = 'payout'))::bigint as due`.execute(tx)
  return rows[0]?.due ?? 0n
}
