import { fileBlobs } from '../blobs/store.ts'
import type { JobServices } from './services.ts'

// Longer than any upload takes: what is younger may be about to become a delivery.
const GRACE_MS = 3_600_000

/**
 * Removes what uploads left in the store without becoming a delivery: their process died, or their order ended
 * meanwhile. The age of a file is the file system's, which no sandbox moves.
 */
export async function sweepBlobs({ db, settings, log }: JobServices): Promise<void> {
  const blobs = fileBlobs(settings.blobDirectory)
  for await (const ids of blobs.keptBefore(new Date(Date.now() - GRACE_MS))) {
    if (ids.length === 0) continue
    const rows = await db.selectFrom('market.deliveries').select('id').where('id', 'in', ids).execute()
    const kept = new Set(rows.map(({ id }) => id))
    const orphans = ids.filter((id) => !kept.has(id))
    for (const id of orphans) await blobs.remove(id)
    if (orphans.length > 0) log.info({ orphans: orphans.length }, 'swept uploads that became no delivery')
  }
}
