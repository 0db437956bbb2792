import { sql } from 'kysely'
import { urnString } from '../../../protocol/encoding/urn.ts'
import { audit } from '../../platform/audit/audit.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { forEachPending } from '../../platform/jobs/each.ts'
import type { JobServices } from '../../platform/jobs/services.ts'
import { isHeld, removeAttachments } from './internal/remove.ts'
import { lockStorage } from './storage.ts'

/**
 * Removes the attachments whose time in the trash is over, with their versions and the files that no other
 * version has. Attachments of a task whose order runs wait for its end.
 */
export async function purgeTrash(services: JobServices): Promise<void> {
  const find = (limit: number) =>
    services.db
      .selectFrom('market.attachments')
      .select(['id', 'org_id'])
      .where('purge_at', '<=', sql<Date>`market.now()`)
      .where(({ not }) => not(isHeld('market.attachments.id')))
      .orderBy('purge_at')
      .limit(limit)
      .execute()
  const remove = ({ id, org_id }: { id: string; org_id: string }) =>
    inTransaction(services.db, 'read write', (tx) => purgeDue(tx, org_id, id))
  await forEachPending(services, 'purge of the trash', { find, act: remove, atOnce: 100 })
}

/**
 * Removes an attachment whose time in the trash is over; does nothing if it was restored, removed or sold
 * meanwhile.
 */
async function purgeDue(tx: Tx, orgId: string, attachmentId: string): Promise<void> {
  await lockStorage(tx, orgId)
  const due = await tx
    .selectFrom('market.attachments')
    .select('id')
    .where('id', '=', attachmentId)
    .where('purge_at', '<=', sql<Date>`market.now()`)
    .forUpdate()
    .executeTakeFirst()
  if (!due || (await removeAttachments(tx, orgId, [attachmentId])).size === 0) return
  await audit(tx, {
    actor: 'service',
    action: 'attachment.purge',
    subject: urnString('org', orgId),
    details: { attachment_id: attachmentId },
  })
}
