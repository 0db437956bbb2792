import type { Actor, MarketRules } from '../../../context.ts'
import { notFound } from '../../../errors.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { attachFile } from '../../attachments/attach.ts'
import { lockStorage, releaseBytes, type StoredBytes } from '../../attachments/storage.ts'
import { requireMember } from '../../membership.ts'
import { lockPage } from '../../pages/find.ts'
import type { UploadRow } from './find.ts'
import { locked } from './lease.ts'
import { readMetadata } from './metadata.ts'

/**
 * Attaches the bytes of an upload that has arrived completely, in place of its reserved room. Throws 404 if
 * its sender has left the org or the page is gone, 422 if the page's text would be too long, 423 if another
 * request has the upload by now. Gives its lease back.
 */
export async function finishUpload(
  tx: Tx,
  rules: MarketRules,
  actor: Actor,
  { id, org_id, lease_id, metadata }: UploadRow,
  stored: StoredBytes,
): Promise<UploadRow> {
  const { org, placement } = readMetadata(metadata)
  const member = await requireMember(tx, actor, org)
  if (member.orgId !== org_id) throw notFound('upload')
  // The order in which all code locks: pages, uploads, storage.
  await lockPage(tx, member, placement.page)
  const own = await tx
    .selectFrom('market.uploads')
    .select('reserved_bytes')
    .where('id', '=', id)
    .where('lease_id', '=', lease_id)
    .where('attachment_id', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!own) throw locked()
  await lockStorage(tx, org_id)
  await releaseBytes(tx, org_id, own.reserved_bytes)
  const attachment = await attachFile(tx, rules, member, placement, stored)
  return tx
    .updateTable('market.uploads')
    .set({ attachment_id: attachment.id, reserved_bytes: 0n, lease_id: null, leased_until: null, is_wanted: false })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}
