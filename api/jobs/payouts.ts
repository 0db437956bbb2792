import { sql } from 'kysely'
import { inTransaction } from '../db/transaction.ts'
import { submitPayout } from '../payouts/submit.ts'
import { arePayoutsStopped } from '../stops/list.ts'
import { forEach } from './each.ts'
import type { JobServices } from './services.ts'

const AT_ONCE = 100

/** Sends pending payouts on their way, unless payouts are stopped. */
export async function submitPayouts(services: JobServices): Promise<void> {
  const { db, settings } = services
  if (await arePayoutsStopped(db)) return

  const pending = await db
    .selectFrom('market.payouts')
    .select('id')
    .where('state', '=', 'pending')
    // Those whose deposit is gone from the chain wait for it, and hold up no other.
    .where(
      sql<boolean>`not exists (select from market.settled_events
        where key = 'payment:' || deposit_from || ':' || deposit_nonce and vanished_at is not null)`,
    )
    .orderBy('id')
    .limit(AT_ONCE)
    .execute()
  await forEach(services, 'payout', pending, ({ id }) =>
    inTransaction(db, 'read write', (tx) => submitPayout(tx, settings, id)),
  )
}
