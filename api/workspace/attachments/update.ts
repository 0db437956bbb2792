import { sql } from 'kysely'
import { Problem } from '../../errors.ts'
import type { Tx } from '../../platform/db/pool.ts'
import type { Member } from '../membership.ts'
import { lockPage, longerNames } from '../pages/find.ts'
import { rewriteReferences } from '../pages/references.ts'
import { writePage } from '../pages/write.ts'
import { recordChange } from '../recordChange.ts'
import { entryOf, nameOnPage } from './attach.ts'
import { attachmentEvents } from './declaration.ts'
import { type AttachmentRow, findAttachment } from './find.ts'
import { sanitizeName } from './names.ts'

/**
 * The fields of an attachment to change. An undefined field stays as it is. A null entry detaches the attachment from its entry.
 */
export interface AttachmentChange {
  entry?: string | null | undefined
  filename?: string | null | undefined
  updateReferences: boolean
}

/**
 * Renames an attachment or moves it to another entry of its page, and rewrites the references to its old name; does nothing if
 * nothing changes. Throws 404, and 409 for an attachment in the trash.
 */
export async function updateAttachment(
  tx: Tx,
  member: Member,
  ref: string,
  { entry, filename, updateReferences }: AttachmentChange,
): Promise<AttachmentRow> {
  const { orgId } = member
  const before = await findAttachment(tx, member, ref)
  const page = await lockPage(tx, member, before.page_id)
  const name =
    filename == null || sanitizeName(filename) === before.filename
      ? before.filename
      : await nameOnPage(tx, page.id, filename)
  const entryId = entry === undefined ? before.entry_id : await entryOf(tx, member, page.id, entry)
  if (name === before.filename && entryId === before.entry_id && before.trashed_at === null) return before
  const { numUpdatedRows } = await tx
    .updateTable('market.attachments')
    .set({ filename: name, entry_id: entryId, updated_at: sql<Date>`market.now()` })
    .where('id', '=', before.id)
    .where('filename', '=', before.filename)
    .where('trashed_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw attachmentTrashed()
  if (name !== before.filename && updateReferences) {
    const known = await longerNames(tx, member, page, before.filename)
    await writePage(tx, member, page, { text: rewriteReferences(page.text, before.filename, name, known) })
  }
  const after = await findAttachment(tx, member, before.id)
  const data = { page_id: page.id, renamed: name !== before.filename, entry_id: entryId }
  await recordChange(tx, orgId, member, {
    type: attachmentEvents['attachment.updated'],
    entity: after,
    spaceId: page.space_id,
    data,
  })
  return after
}

/** The problem for a change to an attachment in the trash. */
export function attachmentTrashed(): Problem {
  return new Problem('workspace/attachment-trashed', {
    detail: 'The attachment is in the trash, or was changed just now. Restore it first.',
  })
}
