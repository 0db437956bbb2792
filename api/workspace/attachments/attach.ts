import { newId } from '../../../protocol/encoding/ids.ts'
import type { MarketRules } from '../../context.ts'
import { notFound } from '../../errors.ts'
import type { Db, Tx } from '../../platform/db/pool.ts'
import { skeletonOf } from '../../platform/http/route/lookAlikes.ts'
import type { Member, Reader } from '../membership.ts'
import { accountIdOf, notify } from '../notifications/notify.ts'
import { findEntry, lockPage } from '../pages/find.ts'
import { type Insert, insertReference, referenceTo } from '../pages/references.ts'
import { writePage } from '../pages/write.ts'
import { recordChange } from '../recordChange.ts'
import { newShortId } from '../schemas.ts'
import { type AttachmentRow, findAttachment } from './find.ts'
import { attachmentEvents, attachmentNotices } from './module.ts'
import { FreeNames, sanitizeName, splitName } from './names.ts'
import { addFile, type StoredBytes } from './storage.ts'

/** The place of a new attachment, and how its page refers to it. Page and entry are short ids or UUIDs. */
export interface Placement {
  page: string
  entry: string | null
  filename: string
  insert: Insert
  /** A byte offset in the page's text, or null for its end. */
  cursor: number | null
}

/**
 * Attaches stored bytes to a page, inserts a reference into its text, and returns the attachment. Throws 404
 * if the page or entry does not exist, 413 if the quota does not allow it, 422 if the page's text would be
 * too long.
 */
export async function attachFile(
  tx: Tx,
  rules: MarketRules,
  member: Member,
  placement: Placement,
  stored: StoredBytes,
): Promise<AttachmentRow> {
  const { orgId } = member
  const page = await lockPage(tx, member, placement.page)
  const entryId = await entryOf(tx, member, page.id, placement.entry)
  const filename = await nameOnPage(tx, page.id, placement.filename)
  const fileId = await addFile(tx, rules, orgId, stored)
  const id = await insertAttachment(tx, member, { page_id: page.id, entry_id: entryId, filename }, fileId, stored)
  if (placement.insert !== 'none') {
    const reference = referenceTo(filename, placement.insert)
    await writePage(tx, member, page, { text: insertReference(page.text, reference, placement.cursor) })
  }
  const attachment = await findAttachment(tx, member, id)
  const data = { page_id: page.id, version: 1, size_bytes: stored.sizeBytes, media_type: stored.mediaType }
  await recordChange(tx, orgId, member, {
    type: attachmentEvents['attachment.created'],
    entity: attachment,
    spaceId: page.space_id,
    data,
  })
  await notify(tx, {
    ...{ kind: attachmentNotices['attachment.created'], orgId, by: member, spaceId: page.space_id },
    recipients: [accountIdOf(page.created_by)],
    entity: { type: 'attachment', id: attachment.id, short_id: attachment.short_id },
  })
  return attachment
}

/**
 * Attaches a file of the org to a page, under a name that is free there, and returns the id of the
 * attachment.
 */
export async function insertAttachment(
  tx: Tx,
  { orgId, urn }: Member,
  placed: { page_id: string; entry_id: string | null; filename: string; import_id?: string },
  fileId: string,
  { mediaType }: Pick<StoredBytes, 'mediaType'>,
): Promise<string> {
  const id = newId()
  await tx
    .insertInto('market.attachments')
    .values({ ...placed, id, short_id: newShortId(), org_id: orgId, created_by: urn })
    .execute()
  await tx
    .insertInto('market.attachment_versions')
    .values({ attachment_id: id, number: 1, file_id: fileId, media_type: mediaType, created_by: urn })
    .execute()
  return id
}

/**
 * Returns the id of an entry of a page, or null if no entry is given. Throws the uniform 404, also for an
 * entry of another page.
 */
export async function entryOf(tx: Db | Tx, reader: Reader, pageId: string, ref: string | null): Promise<string | null> {
  if (ref === null) return null
  const entry = await findEntry(tx, reader, ref)
  if (entry.page_id !== pageId) throw notFound('entry')
  return entry.id
}

/**
 * Returns a name in its stored form that is free on a page, and looks like that of no other attachment there.
 * The page must be locked.
 */
export async function nameOnPage(tx: Tx, pageId: string, name: string, ownId?: string): Promise<string> {
  const { stem, extension } = splitName(sanitizeName(name))
  const rows = await tx
    .selectFrom('market.attachments')
    .select('filename')
    .where('page_id', '=', pageId)
    .$if(ownId !== undefined, (others) => others.where('id', '<>', ownId ?? ''))
    .execute()
  const taken = rows.map(({ filename }) => skeletonOf(filename))
  return new FreeNames(taken, skeletonOf).take(stem, extension)
}
