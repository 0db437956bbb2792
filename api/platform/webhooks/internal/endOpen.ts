import { sql } from 'kysely'
import type { Tx } from '../../db/pool.ts'

/**
 * Ends the open deliveries of a webhook, with a reason that its history shows. Attempts in progress are not
 * recorded.
 */
export async function endOpenDeliveries(tx: Tx, webhookId: string, reason: 'gone' | 'url_changed'): Promise<void> {
  await tx
    .updateTable('market.webhook_deliveries')
    .set({
      ...{ status: 'dead_letter', next_attempt_at: null, lease_id: null, leased_until: null, last_failure: reason },
      finished_at: sql<Date>`market.now()`,
    })
    .where('subscription_id', '=', webhookId)
    .where('finished_at', 'is', null)
    .execute()
}
