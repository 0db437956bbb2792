import { sql } from 'kysely'
import type { JobServices } from '../jobs/services.ts'

/**
 * Purges the log up to the last event that is older than rules.eventRetentionSeconds, and drops the
 * partitions that hold only purged events (schema, market.purge_events). Throws database errors: if a
 * partition is being read for long, the next run drops it.
 */
export async function purgeEvents({ db, settings }: JobServices): Promise<void> {
  await sql`select market.purge_events(${settings.rules.eventRetentionSeconds})`.execute(db)
}
