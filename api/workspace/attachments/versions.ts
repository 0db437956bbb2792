import { sql } from 'kysely'
import type { MarketRules } from '../../context.ts'
import { notFound } from '../../errors.ts'
import type { ScanState } from '../../platform/db/generated/tables.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { isTaskSeller, type Member, type Reader, type TaskSeller } from '../membership.ts'
import { recordChange } from '../recordChange.ts'
import { openSpace } from '../spaces/find.ts'
import { type AttachmentRow, findAttachment, requireBytes } from './find.ts'
import { mayOfVersion } from './internal/guards.ts'
import { attachmentEvents } from './module.ts'
import { addFile, type StoredBytes } from './storage.ts'
import { attachmentTrashed } from './update.ts'

/** A version of an attachment, with its bytes. */
export interface VersionRow {
  number: number
  file_id: string
  media_type: string
  /** Null while the worker is yet to take it. */
  sha256: string | null
  size_bytes: bigint
  created_by: string
  created_at: Date
  scan_state: ScanState
}

/** Lists every version of an attachment, newest first: the current one is the first. */
export async function listVersionRows(tx: Tx, attachmentId: string): Promise<VersionRow[]> {
  return selectVersions(tx, attachmentId).orderBy('version.number', 'desc').execute()
}

/**
 * Returns one version of an attachment that a reader sees: for a member any version, for a seller a version
 * that was added to its tasks. Throws the uniform 404.
 */
export async function findVersion(
  tx: Tx,
  reader: Reader | TaskSeller,
  attachmentId: string,
  number: number,
): Promise<VersionRow> {
  const row = await selectVersions(tx, attachmentId)
    .where('version.number', '=', number)
    .where(mayReadVersion(reader))
    .executeTakeFirst()
  if (row) return row
  throw notFound('version')
}

function mayReadVersion(reader: Reader | TaskSeller) {
  if (!isTaskSeller(reader)) return sql<boolean>`true`
  return sql<boolean>`exists (select from market.task_files added where added.attachment_id = version.attachment_id
    and added.version = version.number and added.task_id = any(${reader.soldTasks}))`
}

function selectVersions(tx: Tx, attachmentId: string) {
  return tx
    .selectFrom('market.attachment_versions as version')
    .innerJoin('market.files as file', 'file.id', 'version.file_id')
    .select(['version.number', 'version.file_id', 'version.media_type', 'version.created_by', 'version.created_at'])
    .select(['file.sha256', 'file.size_bytes', 'file.scan_state'])
    .where('version.attachment_id', '=', attachmentId)
}

/**
 * Gives an attachment new bytes as its next version. Throws 404, 409 for an attachment in the trash, 413
 * beyond the quota.
 */
export async function replaceContent(
  tx: Tx,
  rules: MarketRules,
  member: Member,
  ref: string,
  stored: StoredBytes,
): Promise<AttachmentRow> {
  const { id, space_id } = await findAttachment(tx, member, ref)
  await openSpace(tx, member, space_id)
  const number = await nextVersion(tx, id)
  const fileId = await addFile(tx, rules, member.orgId, stored)
  return addVersion(tx, member, { id, number, fileId, mediaType: stored.mediaType })
}

/**
 * Makes the bytes of an old version an attachment's next version. Throws 404, 409 for an attachment in the
 * trash, and 403 for bytes that an operator has deleted.
 */
export async function restoreVersion(tx: Tx, member: Member, ref: string, number: number): Promise<AttachmentRow> {
  const { id, space_id } = await findAttachment(tx, member, ref)
  await openSpace(tx, member, space_id)
  // The attachment is locked first: a version that was deleted meanwhile is not found.
  const next = await nextVersion(tx, id)
  const old = await findVersion(tx, member, id, number)
  requireBytes(old.scan_state)
  return addVersion(tx, member, { id, number: next, fileId: old.file_id, mediaType: old.media_type })
}

async function nextVersion(tx: Tx, attachmentId: string): Promise<number> {
  const row = await tx
    .updateTable('market.attachments')
    .set({ version: sql<number>`version + 1`, updated_at: sql<Date>`market.now()` })
    .where('id', '=', attachmentId)
    .where('trashed_at', 'is', null)
    .returning('version')
    .executeTakeFirst()
  if (!row) throw attachmentTrashed()
  return row.version
}

async function addVersion(
  tx: Tx,
  member: Member,
  { id, number, fileId, mediaType }: { id: string; number: number; fileId: string; mediaType: string },
): Promise<AttachmentRow> {
  await tx
    .insertInto('market.attachment_versions')
    .values({ attachment_id: id, number, file_id: fileId, media_type: mediaType, created_by: member.urn })
    .execute()
  const attachment = await findAttachment(tx, member, id)
  const { space_id: spaceId, page_id } = attachment
  const data = { page_id, version: number }
  await recordChange(tx, member.orgId, member, {
    type: attachmentEvents['attachment.updated'],
    entity: attachment,
    spaceId,
    data,
  })
  return attachment
}

/** Returns a version of an attachment in its wire form for a member. */
export function toVersion(member: Member, attachment: AttachmentRow, row: VersionRow) {
  const { number, media_type, sha256, scan_state, created_by } = row
  const times = { created_at: row.created_at.toISOString() }
  return {
    number,
    is_current: number === attachment.version,
    may: mayOfVersion(member, attachment, row),
    size_bytes: Number(row.size_bytes),
    ...(sha256 === null ? {} : { sha256 }),
    media_type,
    scan_state,
    created_by,
    ...times,
  }
}
