import type { Tx } from '../../../platform/db/pool.ts'
import type { Member } from '../../membership.ts'
import { notify, withoutNotified } from '../../notifications/notify.ts'
import { newlyMentioned } from '../../pages/mentions.ts'
import { commentNotices } from '../module.ts'
import type { CommentRow } from './find.ts'

/**
 * Notifies the accounts that a comment mentions, by their URN behind an @, and mentioned less often before:
 * members of the org and their agents who see the space that the comment is in. An account is notified of a
 * comment once, also where edits remove the mention and bring it back.
 */
export async function tellMentioned(tx: Tx, by: Member, comment: CommentRow, before: string): Promise<void> {
  const { id, short_id, org_id: orgId, space_id: spaceId } = comment
  const { name } = commentNotices['comment.mentioned']
  const recipients = await withoutNotified(tx, newlyMentioned(comment.text, before), {
    kind: name,
    orgId,
    entityId: id,
  })
  const entity = { type: 'comment', id, short_id }
  await notify(tx, { kind: commentNotices['comment.mentioned'], orgId, by, recipients, entity, spaceId })
}
