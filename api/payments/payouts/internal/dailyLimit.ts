import { sql } from 'kysely'
import type { Settings } from '../../../context.ts'
import type { Db, Tx } from '../../../platform/db/pool.ts'

// Any constant that no other advisory lock uses.
const DAY_LOCK = 5_270_114_861n

/**
 * Waits for other payouts to sellers that are being submitted: two at once must not both fit within the rest
 * of the limit.
 */
export async function lockDay(tx: Tx): Promise<void> {
  await sql`select pg_advisory_xact_lock(${DAY_LOCK})`.execute(tx)
}

/**
 * Returns how much of the daily limit remains for sellers after the payouts of the last 24 hours, excluding
 * one payout's own earlier attempts; micro-units. Refunds do not count: a payer who is refunded must not use
 * up the sellers' limit. Nor do rows that this service did not write, submitted in the future or for more
 * than a day's limit: those of a stolen login would use it up for ever.
 */
export async function roomForPayouts(
  db: Db | Tx,
  { rules }: Pick<Settings, 'rules'>,
  except: string | null = null,
): Promise<bigint> {
  // A transaction that began after this one, and submitted before it, has a later time.
  const { rows } = await sql<{ sent: bigint }>`
    select coalesce(sum(amount_micros), 0)::bigint as sent from market.payouts
    where leg = 'payee' and submitted_at > market.now() - interval '24 hours'
      and submitted_at <= market.now() + interval '10 minutes'
      and amount_micros <= ${rules.dailyPayoutMicros} and id is distinct from ${except}::uuid`.execute(db)
  return rules.dailyPayoutMicros - (rows[0]?.sent ?? 0n)
}
