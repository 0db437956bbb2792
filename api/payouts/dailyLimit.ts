import { sql } from 'kysely'
import type { Settings } from '../context.ts'
import type { Db, Tx } from '../db/pool.ts'

/**
 * What may still be sent to sellers of what a day may see, by what was sent in the last 24 hours, other than one payout's own
 * former attempts; micro-units. Refunds do not count: whoever pays us and is refunded must not use up what sellers are paid from.
 */
export async function roomForPayouts(db: Db | Tx, { rules }: Settings, except: string | null = null): Promise<bigint> {
  const { rows } = await sql<{ sent: bigint }>`
    select coalesce(sum(amount_micros), 0)::bigint as sent from market.payouts
    where leg = 'payee' and submitted_at > market.now() - interval '24 hours'
      and id is distinct from ${except}::uuid`.execute(db)
  return rules.dailyPayoutMicros - (rows[0]?.sent ?? 0n)
}
