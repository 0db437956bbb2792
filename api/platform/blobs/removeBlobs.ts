import { forEachPending } from '../jobs/each.ts'
import type { JobServices } from '../jobs/services.ts'
import { blobsOf } from './open.ts'

/**
 * Removes the files of deleted uploads. Each row is deleted after its file, so a worker that dies in between
 * repeats the removal.
 */
export async function removeBlobs(services: JobServices): Promise<void> {
  const { db, settings } = services
  const blobs = blobsOf(settings)
  const find = (limit: number) =>
    db.selectFrom('market.blob_removals').select('blob_id').orderBy('created_at').limit(limit).execute()
  const remove = async ({ blob_id: blobId }: { blob_id: string }) => {
    await blobs.remove(blobId)
    await db.deleteFrom('market.blob_removals').where('blob_id', '=', blobId).execute()
  }
  await forEachPending(services, 'blob removal', { find, act: remove, atOnce: 100 })
}
