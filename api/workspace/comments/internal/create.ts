import { newId } from '../../../../protocol/encoding/ids.ts'
import { notFound, Problem } from '../../../errors.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { invalid } from '../../../platform/http/serve/input.ts'
import type { Member } from '../../membership.ts'
import { accountIdOf, notify } from '../../notifications/notify.ts'
import { lockPage } from '../../pages/find.ts'
import { recordChange } from '../../recordChange.ts'
import { newShortId } from '../../schemas.ts'
import { lockTask } from '../../tasks/find.ts'
import { commentEvents, commentNotices } from '../module.ts'
import { commentProblems } from '../problems.ts'
import { makeAnchor } from './anchor.ts'
import { type CommentRow, findComment } from './find.ts'
import { tellMentioned } from './mentions.ts'

/**
 * A new comment: on a page or on a task, by short id or UUID; an answer in a thread; about words of the page.
 */
export interface NewComment {
  page?: string | undefined
  task?: string | undefined
  thread?: string | undefined
  text: string
  anchor?: { quote: string; start: number } | undefined
}

/**
 * Comments on a page, a task, or words of a page, or answers a comment, and notifies the accounts concerned.
 * Throws 404, 409 and 422.
 */
export async function createComment(tx: Tx, member: Member, input: NewComment): Promise<CommentRow> {
  const { orgId, urn } = member
  const on = await findSubject(tx, member, input)
  const thread = input.thread === undefined ? undefined : await findComment(tx, member, input.thread)
  if (thread && (thread.page_id !== on.pageId || thread.task_id !== on.taskId)) throw notFound('comment')
  const id = newId()
  await tx
    .insertInto('market.comments')
    .values({
      ...{ id, short_id: newShortId(), org_id: orgId, page_id: on.pageId, task_id: on.taskId },
      // An answer to an answer becomes one in the same thread.
      thread_id: thread ? (thread.thread_id ?? thread.id) : null,
      anchor: input.anchor === undefined ? null : JSON.stringify(anchorIn(on.text, input.anchor)),
      ...{ text: input.text, created_by: urn },
    })
    .execute()
  const comment = await findComment(tx, member, id)
  const data = { page_id: on.pageId, task_id: on.taskId, thread_id: comment.thread_id }
  await recordChange(tx, orgId, member, {
    type: commentEvents['comment.created'],
    entity: comment,
    spaceId: on.spaceId,
    data,
  })
  await notify(tx, {
    ...{ kind: commentNotices['comment.created'], orgId, by: member, spaceId: on.spaceId },
    recipients: [on.createdBy, ...(thread ? [thread.created_by] : [])].map(accountIdOf),
    entity: { type: 'comment', id, short_id: comment.short_id },
  })
  await tellMentioned(tx, member, comment, '')
  return comment
}

async function findSubject(tx: Tx, member: Member, { page, task, anchor }: NewComment) {
  if ((page === undefined) === (task === undefined)) throw invalid('page', 'name a page or a task, and not both')
  if (page !== undefined) {
    const { id, space_id, text, created_by } = await lockPage(tx, member, page)
    return { pageId: id, taskId: null, spaceId: space_id, text, createdBy: created_by }
  }
  if (anchor !== undefined) throw invalid('anchor', 'is for words of a page')
  const { id, space_id, created_by } = await lockTask(tx, member, task ?? '')
  return { pageId: null, taskId: id, spaceId: space_id, text: '', createdBy: created_by }
}

function anchorIn(text: string, { quote, start }: { quote: string; start: number }) {
  const anchor = makeAnchor(text, quote, start)
  if (anchor) return anchor
  throw new Problem(commentProblems.anchorNotFound, {
    detail: 'The page does not contain these words. Read it again, and quote its present text.',
    field: 'anchor',
  })
}
