import { sql } from 'kysely'
import type { JobServices } from '../jobs/services.ts'

/**
 * Drops the months of deliveries that are past rules.webhookRetentionSeconds. Throws what the database
 * throws.
 */
export async function dropOldDeliveries({ db, settings }: Pick<JobServices, 'db' | 'settings'>): Promise<void> {
  await sql`select market.drop_webhook_deliveries(${settings.rules.webhookRetentionSeconds})`.execute(db)
}
