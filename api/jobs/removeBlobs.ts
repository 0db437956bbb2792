import { fileBlobs } from '../blobs/store.ts'
import { forEach } from './each.ts'
import type { JobServices } from './services.ts'

const AT_ONCE = 100

/** Removes the bytes of what was deleted from the database. The row that says so goes last: a worker that dies between repeats it. */
export async function removeBlobs(services: JobServices): Promise<void> {
  const { db, settings } = services
  const blobs = fileBlobs(settings.blobDirectory)
  const due = await db
    .selectFrom('market.blob_removals')
    .select('blob_id')
    .orderBy('created_at')
    .limit(AT_ONCE)
    .execute()
  await forEach(services, 'blob removal', due, async ({ blob_id: blobId }) => {
    await blobs.remove(blobId)
    await db.deleteFrom('market.blob_removals').where('blob_id', '=', blobId).execute()
  })
}
