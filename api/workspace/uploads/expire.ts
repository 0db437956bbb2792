import { sql } from 'kysely'
import { inTransaction } from '../../platform/db/transaction.ts'
import { forEach } from '../../platform/jobs/each.ts'
import type { JobServices } from '../../platform/jobs/services.ts'
import { removeUpload } from './remove.ts'

const AT_ONCE = 100

/** Ends the uploads whose time is over, whether they became an attachment or not. */
export async function expireUploads(services: JobServices): Promise<void> {
  while (await expireSome(services));
}

/** Returns true when there may be more to end. */
async function expireSome(services: JobServices): Promise<boolean> {
  const due = await services.db
    .selectFrom('market.uploads')
    .select(['id', 'org_id'])
    .where('expires_at', '<=', sql<Date>`market.now()`)
    .orderBy('expires_at')
    .limit(AT_ONCE)
    .execute()
  const failed = await forEach(services, 'expiry of an upload', due, (upload) =>
    inTransaction(services.db, 'read write', (tx) => removeUpload(tx, upload)),
  )
  return due.length === AT_ONCE && failed.length === 0
}
