import { sql } from 'kysely'
import type { JobServices } from '../jobs/services.ts'

/**
 * Ends the log behind the events that are older than rules.eventRetentionSeconds, and drops the partitions that hold no others
 * (schema, market.purge_events). Throws what the database throws: where a partition is read for long, the next run drops it.
 */
export async function purgeEvents({ db, settings }: JobServices): Promise<void> {
  await sql`select market.purge_events(${settings.rules.eventRetentionSeconds})`.execute(db)
}
