import { sql } from 'kysely'
import type { JobServices } from '../jobs/services.ts'

const AT_ONCE = 1_000n

/**
 * Deletes deliveries whose time is over, oldest first: those that ended, and those of webhooks to which nothing has been
 * sent for as long.
 */
export async function purgeDeliveries({ db, settings }: JobServices): Promise<void> {
  for (let purged = AT_ONCE; purged === AT_ONCE; ) {
    const { numAffectedRows = 0n } = await sql`
      delete from market.webhook_deliveries where (subscription_id, sequence) in (
        select subscription_id, sequence from market.webhook_deliveries
        where coalesce(finished_at, created_at)
          <= market.now() - make_interval(secs => ${settings.rules.webhookRetentionSeconds})
        order by coalesce(finished_at, created_at) limit ${AT_ONCE} for update skip locked)`.execute(db)
    purged = numAffectedRows
  }
}
