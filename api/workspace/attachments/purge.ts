import { sql } from 'kysely'
import { urnString } from '../../../protocol/encoding/urn.ts'
import { audit } from '../../platform/audit/audit.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { forEachPending } from '../../platform/jobs/each.ts'
import type { JobServices } from '../../platform/jobs/services.ts'
import { lockStorage, removeUnused } from './storage.ts'

/** Removes the attachments whose time in the trash is over, with their versions and the files that no other has. */
export async function purgeTrash(services: JobServices): Promise<void> {
  const find = (limit: number) =>
    services.db
      .selectFrom('market.attachments')
      .select(['id', 'org_id'])
      .where('purge_at', '<=', sql<Date>`market.now()`)
      .orderBy('purge_at')
      .limit(limit)
      .execute()
  const remove = ({ id, org_id }: { id: string; org_id: string }) =>
    inTransaction(services.db, 'read write', (tx) => purgeAttachment(tx, org_id, id))
  await forEachPending(services, 'purge of the trash', { find, act: remove, atOnce: 100 })
}

/** Removes an attachment whose time in the trash is over; does nothing if it was restored or removed meanwhile. */
async function purgeAttachment(tx: Tx, orgId: string, attachmentId: string): Promise<void> {
  await lockStorage(tx, orgId)
  const files = await tx
    .selectFrom('market.attachment_versions')
    .select('file_id')
    .where('attachment_id', '=', attachmentId)
    .execute()
  const { numDeletedRows } = await tx
    .deleteFrom('market.attachments')
    .where('id', '=', attachmentId)
    .where('purge_at', '<=', sql<Date>`market.now()`)
    .executeTakeFirst()
  if (numDeletedRows === 0n) return
  await removeUnused(tx, orgId, [...new Set(files.map(({ file_id }) => file_id))])
  await audit(tx, {
    actor: 'service',
    action: 'attachment.purge',
    subject: urnString('org', orgId),
    details: { attachment_id: attachmentId },
  })
}
