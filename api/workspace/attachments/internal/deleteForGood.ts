import { sql } from 'kysely'
import { Problem, requireAllowed } from '../../../errors.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import type { Member } from '../../membership.ts'
import { recordChange } from '../../recordChange.ts'
import { openSpace } from '../../spaces/find.ts'
import { findAttachment } from '../find.ts'
import { attachmentEvents } from '../module.ts'
import { attachmentProblems } from '../problems.ts'
import { lockStorage, removeUnused } from '../storage.ts'
import { attachmentTrashed } from '../update.ts'
import { findVersion } from '../versions.ts'
import { refuseDeletion } from './guards.ts'
import { isHeld, lockTasksWith, removeAttachments } from './remove.ts'
import { attachmentNotTrashed } from './trash.ts'

/**
 * Removes an attachment in the trash for good, with its versions, and gives back their storage. Throws the
 * uniform 404, 403 unless the caller attached it or is an owner or admin of the org, and 409 if it is not in
 * the trash, belongs to a task whose order runs, or is in an archived space.
 */
export async function purgeAttachment(tx: Tx, member: Member, ref: string): Promise<void> {
  const attachment = await findAttachment(tx, member, ref)
  const { id, space_id: spaceId, page_id } = attachment
  requireAllowed(refuseDeletion(member, attachment))
  await openSpace(tx, member, spaceId)
  await lockStorage(tx, member.orgId)
  const trashed = await tx
    .selectFrom('market.attachments')
    .select('id')
    .where('id', '=', id)
    .where('trashed_at', 'is not', null)
    .forUpdate()
    .executeTakeFirst()
  if (!trashed) throw attachmentNotTrashed()
  if ((await removeAttachments(tx, member.orgId, [id])).size === 0) throw attachmentHeld()
  const change = { entity: attachment, spaceId, data: { page_id } }
  await recordChange(tx, member.orgId, member, { type: attachmentEvents['attachment.purged'], ...change })
}

/**
 * Removes a version of an attachment for good, and gives back its storage. Throws the uniform 404, 403 unless
 * the caller made the version or is an owner or admin of the org, and 409 for the current version, for a
 * version of a task whose order runs, and for an attachment in the trash or in an archived space.
 */
export async function deleteVersion(tx: Tx, member: Member, ref: string, number: number): Promise<void> {
  const attachment = await findAttachment(tx, member, ref)
  const { id, space_id: spaceId, page_id } = attachment
  const version = await findVersion(tx, member, id, number)
  requireAllowed(refuseDeletion(member, version))
  await openSpace(tx, member, spaceId)
  const { version: current } = await lockActive(tx, id)
  if (number === current) {
    throw new Problem(attachmentProblems.versionCurrent, {
      detail: 'This is the current version. Make another one current first, or put the attachment in the trash.',
    })
  }
  await lockStorage(tx, member.orgId)
  await lockTasksWith(tx, [id])
  const { numDeletedRows } = await tx
    .deleteFrom('market.attachment_versions')
    .where('attachment_id', '=', id)
    .where('number', '=', number)
    .where(({ not }) => not(isHeld('market.attachment_versions.attachment_id', number)))
    .executeTakeFirst()
  if (numDeletedRows === 0n) {
    // Deleted meanwhile, it is as nothing.
    await findVersion(tx, member, id, number)
    throw attachmentHeld()
  }
  await removeUnused(tx, member.orgId, [version.file_id])
  const change = { entity: attachment, spaceId, data: { page_id, version: current, deleted_version: number } }
  await recordChange(tx, member.orgId, member, { type: attachmentEvents['attachment.updated'], ...change })
}

async function lockActive(tx: Tx, attachmentId: string): Promise<{ version: number }> {
  const row = await tx
    .updateTable('market.attachments')
    .set({ updated_at: sql<Date>`market.now()` })
    .where('id', '=', attachmentId)
    .where('trashed_at', 'is', null)
    .returning('version')
    .executeTakeFirst()
  if (!row) throw attachmentTrashed()
  return row
}

function attachmentHeld(): Problem {
  return new Problem(attachmentProblems.attachmentHeld, {
    detail: 'It is a file of a task that is offered on the market, or whose order has not ended. Delete it after that.',
  })
}
