import { readPage } from '../../platform/http/route/pagination.ts'
import { serve } from '../../platform/http/serve/serve.ts'
import { requireMember } from '../membership.ts'
import { findPage } from '../pages/find.ts'
import { findTask } from '../tasks/find.ts'
import * as change from './change.ts'
import { createComment } from './create.ts'
import { findComment, listCommentRows, toComment } from './find.ts'
import * as routes from './routes.ts'

export const commentHandlers = [
  serve(routes.createComment, async (tx, { actor }, { params, body }) => {
    const member = await requireMember(tx, actor, params.org)
    return { status: 201, body: toComment(await createComment(tx, member, body)) }
  }),

  serve(routes.listComments, async (tx, { actor, settings }, { params, query }) => {
    const member = await requireMember(tx, actor, params.org)
    const { page, task, thread, resolved } = query
    const filter = {
      pageId: page === undefined ? undefined : (await findPage(tx, member, page)).id,
      taskId: task === undefined ? undefined : (await findTask(tx, member, task)).id,
      threadId: thread === undefined ? undefined : (await findComment(tx, member, thread)).id,
      isResolved: resolved,
    }
    const bound = ['comments', actor.humanId, member.orgId, JSON.stringify(filter)]
    const { rows, next_cursor } = await readPage(settings, bound, query, (part) =>
      listCommentRows(tx, member, filter, part),
    )
    return { status: 200, body: { items: rows.map(toComment), next_cursor } }
  }),

  serve(routes.getComment, async (tx, { actor }, { params }) => {
    const member = await requireMember(tx, actor, params.org)
    return { status: 200, body: toComment(await findComment(tx, member, params.ref)) }
  }),

  serve(routes.editComment, async (tx, { actor }, { params, body }) => {
    const member = await requireMember(tx, actor, params.org)
    return { status: 200, body: toComment(await change.editComment(tx, member, params.ref, body.text)) }
  }),

  serve(routes.deleteComment, async (tx, { actor }, { params }) => {
    const member = await requireMember(tx, actor, params.org)
    return { status: 200, body: toComment(await change.deleteComment(tx, member, params.ref)) }
  }),

  serve(routes.resolveComment, async (tx, { actor }, { params }) => {
    const member = await requireMember(tx, actor, params.org)
    return { status: 200, body: toComment(await change.resolveComment(tx, member, params.ref, true)) }
  }),

  serve(routes.reopenComment, async (tx, { actor }, { params }) => {
    const member = await requireMember(tx, actor, params.org)
    return { status: 200, body: toComment(await change.resolveComment(tx, member, params.ref, false)) }
  }),
]
