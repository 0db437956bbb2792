import { sql } from 'kysely'
import type { Tx } from '../../../platform/db/pool.ts'
import { attachmentEvents, attachmentNotices } from '../../attachments/module.ts'
import { accountIdOf, managersOf, notify } from '../../notifications/notify.ts'
import { recordChange } from '../../recordChange.ts'
import type { ScanResult } from './clamd.ts'

/** An attachment that has a file as its current version. */
interface Holder {
  id: string
  short_id: string
  org_id: string
  space_id: string
  created_by: string
}

/**
 * Records the result of a scan of a file, unless another scan did. A file that was given up takes the result
 * of a scan that ends after all: three scans that were given up may have run at once. If the file is
 * infected, notifies its authors and the managers of its org.
 */
export async function recordScan(tx: Tx, fileId: string, { state, signature }: ScanResult): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('market.files')
    .set({ scan_state: state, signature, scanned_at: sql<Date>`market.now()`, scans: 0 })
    .where('id', '=', fileId)
    .where('scan_state', 'in', state === 'unscannable' ? ['unscanned'] : ['unscanned', 'unscannable'])
    .executeTakeFirst()
  if (numUpdatedRows === 0n || state !== 'infected') return
  for (const holder of await holdersOf(tx, fileId)) {
    await announceScan(tx, holder, state)
    const { org_id: orgId, space_id: spaceId } = holder
    await notify(tx, {
      ...{ kind: attachmentNotices['attachment.quarantined'], orgId, spaceId, by: null },
      recipients: [accountIdOf(holder.created_by), ...(await managersOf(tx, orgId))],
      entity: { type: 'attachment', id: holder.id, short_id: holder.short_id },
    })
  }
}

/** Returns the attachments that have a file as their current version. */
export async function holdersOf(tx: Tx, fileId: string): Promise<Holder[]> {
  return tx
    .selectFrom('market.attachment_versions as version')
    .innerJoin('market.attachments as attachment', (join) =>
      join.onRef('attachment.id', '=', 'version.attachment_id').onRef('attachment.version', '=', 'version.number'),
    )
    .innerJoin('market.pages as page', 'page.id', 'attachment.page_id')
    .select(['attachment.id', 'attachment.short_id', 'attachment.org_id', 'page.space_id', 'version.created_by'])
    .where('version.file_id', '=', fileId)
    .execute()
}

/** Writes the event of an attachment whose file was found infected, released, or deleted. */
export async function announceScan(tx: Tx, holder: Holder, state: 'infected' | 'released' | 'deleted'): Promise<void> {
  const { org_id: orgId, space_id: spaceId } = holder
  await recordChange(tx, orgId, null, {
    type: attachmentEvents['attachment.updated'],
    entity: holder,
    spaceId,
    data: { scan_state: state },
  })
}
