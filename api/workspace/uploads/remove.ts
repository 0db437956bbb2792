import type { Tx } from '../../platform/db/pool.ts'
import { lockStorage, releaseBytes } from '../attachments/storage.ts'
import type { UploadRow } from './find.ts'

/**
 * Ends an upload: what it had reserved is given back, and what has arrived is removed. One that is an attachment is
 * forgotten, and the attachment stays. Does nothing if it is gone.
 */
export async function removeUpload(tx: Tx, { id, org_id }: Pick<UploadRow, 'id' | 'org_id'>): Promise<void> {
  await lockStorage(tx, org_id)
  const removed = await tx
    .deleteFrom('market.uploads')
    .where('id', '=', id)
    .returning('reserved_bytes')
    .executeTakeFirst()
  if (removed) await releaseBytes(tx, org_id, removed.reserved_bytes)
}
