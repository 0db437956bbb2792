import { sql } from 'kysely'
import { groundProblems, Problem } from '../../../errors.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { type Member, requireAdmin } from '../../membership.ts'
import { withdrawMessages } from '../../notifications/notify.ts'
import { recordChange } from '../../recordChange.ts'
import { commentEvents } from '../module.ts'
import { commentProblems } from '../problems.ts'
import { type CommentRow, findComment, lockComment } from './find.ts'
import { tellMentioned } from './mentions.ts'

/**
 * Changes the text of a comment of the caller's. Throws 404, 403 for somebody else's, and 409 for a deleted
 * one.
 */
export async function editComment(tx: Tx, member: Member, ref: string, text: string): Promise<CommentRow> {
  const before = await lockComment(tx, member, ref)
  if (before.created_by !== member.urn) {
    throw new Problem(groundProblems.forbidden, { detail: 'Somebody else wrote this comment.' })
  }
  if (before.deleted_at !== null) throw conflict('is deleted')
  if (before.text === text) return before
  const changes = { text, updated_at: sql<Date>`market.now()` }
  await tx.updateTable('market.comments').set(changes).where('id', '=', before.id).execute()
  const comment = await recorded(tx, member, before, 'comment.updated')
  await tellMentioned(tx, member, comment, before.text)
  return comment
}

/**
 * Resolves a thread, or opens it again. Throws 404, and 409 for an answer, or if the thread is in that state
 * already.
 */
export async function resolveComment(tx: Tx, member: Member, ref: string, isResolved: boolean): Promise<CommentRow> {
  const { id, thread_id, ...before } = await lockComment(tx, member, ref)
  if (thread_id !== null) throw conflict('is an answer: resolve the thread')
  const { numUpdatedRows } = await tx
    .updateTable('market.comments')
    .set(
      isResolved
        ? { resolved_at: sql<Date>`market.now()`, resolved_by: member.urn }
        : { resolved_at: null, resolved_by: null },
    )
    .where('id', '=', id)
    .where('resolved_at', isResolved ? 'is' : 'is not', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw conflict(isResolved ? 'is resolved already' : 'is open already')
  const type = isResolved ? 'comment.resolved' : 'comment.reopened'
  return recorded(tx, member, { ...before, id, thread_id }, type)
}

/**
 * Deletes a comment: its text is gone, its thread stays, and its notifications say so. Throws 404, 403 for
 * another member's, 409 for a deleted one.
 */
export async function deleteComment(tx: Tx, member: Member, ref: string): Promise<CommentRow> {
  const before = await lockComment(tx, member, ref)
  if (before.created_by !== member.urn) requireAdmin(member)
  const { numUpdatedRows } = await tx
    .updateTable('market.comments')
    .set({ text: '', anchor: null, deleted_at: sql<Date>`market.now()` })
    .where('id', '=', before.id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw conflict('is deleted')
  await withdrawMessages(tx, member.orgId, before.id)
  return recorded(tx, member, before, 'comment.deleted')
}

async function recorded(
  tx: Tx,
  member: Member,
  { id, short_id, space_id: spaceId, page_id, task_id }: CommentRow,
  type: keyof typeof commentEvents,
): Promise<CommentRow> {
  await recordChange(tx, member.orgId, member, {
    type: commentEvents[type],
    entity: { id, short_id },
    spaceId,
    data: { page_id, task_id },
  })
  return findComment(tx, member, id)
}

function conflict(how: string): Problem {
  return new Problem(commentProblems.commentConflict, { detail: `The comment ${how}.` })
}
