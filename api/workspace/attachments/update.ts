import { sql } from 'kysely'
import { Problem } from '../../errors.ts'
import type { Tx } from '../../platform/db/pool.ts'
import type { Member } from '../membership.ts'
import { findPage, idForEvent, lockPage, longerNames, type PageRow } from '../pages/find.ts'
import { rewriteReferences } from '../pages/references.ts'
import { writePage } from '../pages/write.ts'
import { recordChange } from '../recordChange.ts'
import { entryOf, nameOnPage } from './attach.ts'
import { type AttachmentRow, findAttachment } from './find.ts'
import { attachmentEvents } from './module.ts'
import { sanitizeName } from './names.ts'
import { attachmentProblems } from './problems.ts'

/**
 * The fields of an attachment to change. An undefined field stays as it is. A null entry detaches the
 * attachment from its entry.
 */
export interface AttachmentChange {
  /** Another page, by its short id or UUID. */
  page?: string | undefined
  entry?: string | null | undefined
  filename?: string | null | undefined
  updateReferences: boolean
}

/**
 * Renames an attachment, or moves it to another page or entry; does nothing if nothing changes. References to
 * it on its page follow a new name; where it left the page, they stay and lead nowhere. Throws 404, 409 for
 * an attachment in the trash or an archived space.
 */
export async function updateAttachment(
  tx: Tx,
  member: Member,
  ref: string,
  { page: pageRef, entry, filename, updateReferences }: AttachmentChange,
): Promise<AttachmentRow> {
  const before = await findAttachment(tx, member, ref)
  const { from, to } = await lockBoth(tx, member, before.page_id, pageRef)
  const isMoved = to.id !== from.id
  const wanted = filename ? sanitizeName(filename) : before.filename
  const name = !isMoved && wanted === before.filename ? wanted : await nameOnPage(tx, to.id, wanted, before.id)
  const kept = isMoved ? null : before.entry_id
  const entryId = entry === undefined ? kept : await entryOf(tx, member, to.id, entry)
  const isSame = !isMoved && name === before.filename && entryId === before.entry_id
  if (isSame && before.trashed_at === null) return before
  const { numUpdatedRows } = await tx
    .updateTable('market.attachments')
    .set({ page_id: to.id, filename: name, entry_id: entryId, updated_at: sql<Date>`market.now()` })
    // It is no longer where its import put it.
    .$if(isMoved, (update) => update.set({ import_id: null }))
    .where('id', '=', before.id)
    .where('page_id', '=', from.id)
    .where('filename', '=', before.filename)
    .where('trashed_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw attachmentTrashed()
  if (!isMoved && name !== before.filename && updateReferences) {
    const known = await longerNames(tx, member, from, before.filename)
    await writePage(tx, member, from, { text: rewriteReferences(from.text, before.filename, name, known) })
  }
  const after = await findAttachment(tx, member, before.id)
  const moved = isMoved ? { from_page_id: await idForEvent(tx, from, to.space_id) } : {}
  await recordChange(tx, member.orgId, member, {
    type: attachmentEvents['attachment.updated'],
    entity: after,
    spaceId: to.space_id,
    data: { page_id: to.id, renamed: name !== before.filename, entry_id: entryId, ...moved },
  })
  return after
}

/** Locks the page of an attachment, and the page that it goes to, in the order of their ids. */
async function lockBoth(tx: Tx, member: Member, fromId: string, ref: string | undefined) {
  const toId = ref === undefined ? fromId : (await findPage(tx, member, ref)).id
  const pages = new Map<string, PageRow>()
  for (const id of [...new Set([fromId, toId])].sort()) pages.set(id, await lockPage(tx, member, id))
  return { from: pages.get(fromId) as PageRow, to: pages.get(toId) as PageRow }
}

/** The problem for a change to an attachment in the trash. */
export function attachmentTrashed(): Problem {
  return new Problem(attachmentProblems.attachmentTrashed, {
    detail: 'The attachment is in the trash, or was changed just now. Restore it first.',
  })
}
