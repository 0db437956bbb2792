import { sql } from 'kysely'
import type { MarketRules } from '../../../context.ts'
import { Problem } from '../../../errors.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import type { Member } from '../../membership.ts'
import { lockPage } from '../../pages/find.ts'
import { recordChange } from '../../recordChange.ts'
import { openSpace } from '../../spaces/find.ts'
import { type AttachmentRow, findAttachment } from '../find.ts'
import { attachmentEvents } from '../module.ts'
import { attachmentProblems } from '../problems.ts'
import { attachmentTrashed } from '../update.ts'

/** Puts an attachment in the trash for rules.trashDays. Throws 404, and 409 if it is in the trash already. */
export async function trashAttachment(
  tx: Tx,
  { trashDays }: MarketRules,
  member: Member,
  ref: string,
): Promise<AttachmentRow> {
  const { id, space_id } = await findAttachment(tx, member, ref)
  await openSpace(tx, member, space_id)
  const { numUpdatedRows } = await tx
    .updateTable('market.attachments')
    .set({
      trashed_at: sql<Date>`market.now()`,
      purge_at: sql<Date>`market.now() + make_interval(days => ${trashDays})`,
      updated_at: sql<Date>`market.now()`,
    })
    .where('id', '=', id)
    .where('trashed_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw attachmentTrashed()
  return recorded(tx, member, id, 'attachment.deleted')
}

/** Restores an attachment from the trash. Throws 404, and 409 if it is not in the trash. */
export async function restoreAttachment(tx: Tx, member: Member, ref: string): Promise<AttachmentRow> {
  const { id, page_id } = await findAttachment(tx, member, ref)
  await lockPage(tx, member, page_id)
  const { numUpdatedRows } = await tx
    .updateTable('market.attachments')
    .set({ trashed_at: null, purge_at: null, updated_at: sql<Date>`market.now()` })
    .where('id', '=', id)
    .where('purge_at', '>', sql<Date>`market.now()`)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw attachmentNotTrashed()
  return recorded(tx, member, id, 'attachment.restored')
}

/** The problem for an action that needs an attachment in the trash. */
export function attachmentNotTrashed(): Problem {
  return new Problem(attachmentProblems.attachmentNotTrashed, {
    detail: 'The attachment is not in the trash, or its time there is over.',
  })
}

async function recorded(
  tx: Tx,
  member: Member,
  id: string,
  type: keyof typeof attachmentEvents,
): Promise<AttachmentRow> {
  const attachment = await findAttachment(tx, member, id)
  const { space_id: spaceId, page_id } = attachment
  await recordChange(tx, member.orgId, member, {
    type: attachmentEvents[type],
    entity: attachment,
    spaceId,
    data: { page_id },
  })
  return attachment
}
