import { newId } from '../../../protocol/encoding/ids.ts'
import type { ErasureChanged } from '../../identity/announcements.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { erasureNotices } from './module.ts'
import { notify } from './notify.ts'

/** Notifies a person at once, by every channel, that they will be erased or that this was cancelled. */
export async function tellOfErasure(tx: Tx, { change, humanId }: ErasureChanged): Promise<void> {
  await notify(tx, {
    kind: erasureNotices[`erasure.${change}`],
    ...{ orgId: null, spaceId: null, by: null },
    // Each change is one of its own.
    cause: newId(),
    recipients: [humanId],
    entity: { type: 'human', id: humanId, short_id: null },
    isUrgent: true,
  })
}
