import { forEach } from '../jobs/each.ts'
import type { JobServices } from '../jobs/services.ts'
import { blobsOf } from './open.ts'

const AT_ONCE = 100

/**
 * Removes the files of deleted uploads. Each row is deleted after its file, so a worker that dies in between repeats
 * the removal.
 */
export async function removeBlobs(services: JobServices): Promise<void> {
  while (await removeSome(services));
}

/** Returns true when there may be more to remove. */
async function removeSome(services: JobServices): Promise<boolean> {
  const { db, settings } = services
  const blobs = blobsOf(settings)
  const due = await db
    .selectFrom('market.blob_removals')
    .select('blob_id')
    .orderBy('created_at')
    .limit(AT_ONCE)
    .execute()
  const failed = await forEach(services, 'blob removal', due, async ({ blob_id: blobId }) => {
    await blobs.remove(blobId)
    await db.deleteFrom('market.blob_removals').where('blob_id', '=', blobId).execute()
  })
  return due.length === AT_ONCE && failed.length === 0
}
