import { findPage } from '../pages/find.ts'
import { serveMember } from '../serveMember.ts'
import { findTask } from '../tasks/find.ts'
import * as change from './internal/change.ts'
import { createComment } from './internal/create.ts'
import { findComment, listCommentRows, toComment } from './internal/find.ts'
import * as routes from './routes.ts'

export const commentHandlers = [
  serveMember(routes.createComment, async (tx, { member }, { body }) => ({
    status: 201,
    body: toComment(await createComment(tx, member, body)),
  })),

  serveMember(routes.listComments, async (tx, { member }, { query, list }) => {
    const { page, task, thread, resolved } = query
    const filter = {
      pageId: page === undefined ? undefined : (await findPage(tx, member, page)).id,
      taskId: task === undefined ? undefined : (await findTask(tx, member, task)).id,
      threadId: thread === undefined ? undefined : (await findComment(tx, member, thread)).id,
      isResolved: resolved,
    }
    return { status: 200, body: await list.read((part) => listCommentRows(tx, member, filter, part), toComment) }
  }),

  serveMember(routes.getComment, async (tx, { member }, { params }) => ({
    status: 200,
    body: toComment(await findComment(tx, member, params.ref)),
  })),

  serveMember(routes.editComment, async (tx, { member }, { params, body }) => ({
    status: 200,
    body: toComment(await change.editComment(tx, member, params.ref, body.text)),
  })),

  serveMember(routes.deleteComment, async (tx, { member }, { params }) => ({
    status: 200,
    body: toComment(await change.deleteComment(tx, member, params.ref)),
  })),

  serveMember(routes.resolveComment, async (tx, { member }, { params }) => ({
    status: 200,
    body: toComment(await change.resolveComment(tx, member, params.ref, true)),
  })),

  serveMember(routes.reopenComment, async (tx, { member }, { params }) => ({
    status: 200,
    body: toComment(await change.resolveComment(tx, member, params.ref, false)),
  })),
]
