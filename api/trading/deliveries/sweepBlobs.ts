import { blobsOf } from '../../platform/blobs/open.ts'
import { anyOf } from '../../platform/db/lists.ts'
import type { JobServices } from '../../platform/jobs/services.ts'

// Longer than any upload takes: a younger blob may still become a delivery or a file.
const GRACE_MS = 3_600_000

/**
 * Removes stored uploads that became neither a delivery nor a file of the workspace, because their process
 * died or they were refused meanwhile. Their age is measured by the file system's clock, which a sandbox
 * cannot move.
 */
export async function sweepBlobs({ db, settings, log }: JobServices): Promise<void> {
  const blobs = blobsOf(settings)
  for await (const ids of blobs.keptBefore(new Date(Date.now() - GRACE_MS))) {
    if (ids.length === 0) continue
    const rows = await db.selectFrom('market.kept_blobs').select('id').where('id', '=', anyOf(ids)).execute()
    const kept = new Set(rows.map(({ id }) => id))
    const orphans = ids.filter((id) => !kept.has(id))
    for (const id of orphans) await blobs.remove(id)
    if (orphans.length > 0) log.info({ orphans: orphans.length }, 'swept uploads that became nothing')
  }
}
