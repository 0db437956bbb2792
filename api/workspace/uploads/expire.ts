import { sql } from 'kysely'
import { inTransaction } from '../../platform/db/transaction.ts'
import { forEach } from '../../platform/jobs/each.ts'
import type { JobServices } from '../../platform/jobs/services.ts'
import { endReservation } from '../attachments/storage.ts'

const AT_ONCE = 100

/** Ends the uploads whose time is over, whether they became an attachment or not; what has arrived of one that did not is removed. */
export async function expireUploads(services: JobServices): Promise<void> {
  while (await expireSome(services));
}

/** Returns true when there may be more to end. */
async function expireSome(services: JobServices): Promise<boolean> {
  const due = await services.db
    .selectFrom('market.uploads')
    .select('id')
    .where('expires_at', '<=', sql<Date>`market.now()`)
    .orderBy('expires_at')
    .limit(AT_ONCE)
    .execute()
  const failed = await forEach(services, 'expiry of an upload', due, ({ id }) =>
    inTransaction(services.db, 'read write', (tx) => endReservation(tx, id)),
  )
  return due.length === AT_ONCE && failed.length === 0
}
