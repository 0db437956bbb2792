import { sql } from 'kysely'
import { inTransaction } from '../../platform/db/transaction.ts'
import { forEachPending } from '../../platform/jobs/each.ts'
import type { JobServices } from '../../platform/jobs/services.ts'
import { endReservation } from '../attachments/storage.ts'

/** Ends the uploads whose time is over. Removes the bytes of those that did not become an attachment. */
export async function expireUploads(services: JobServices): Promise<void> {
  const find = (limit: number) =>
    services.db
      .selectFrom('market.uploads')
      .select('id')
      .where('expires_at', '<=', sql<Date>`market.now()`)
      .orderBy('expires_at')
      .limit(limit)
      .execute()
  const end = ({ id }: { id: string }) => inTransaction(services.db, 'read write', (tx) => endReservation(tx, id))
  await forEachPending(services, 'expiry of an upload', { find, act: end, atOnce: 100 })
}
