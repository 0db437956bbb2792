import { readPage } from '../../platform/http/pagination.ts'
import { serve } from '../../platform/http/serve.ts'
import { requireMember } from '../membership.ts'
import { listNotifications, toNotification } from './find.ts'
import { markRead } from './markRead.ts'
import * as routes from './routes.ts'

export const notificationHandlers = [
  serve(routes.listNotifications, async (tx, { actor, settings }, { params, query }) => {
    const member = await requireMember(tx, actor, params.org)
    const bound = ['notifications', member.accountId, member.orgId, String(query.unread)]
    const { rows, next_cursor } = await readPage(settings, bound, query, (page) =>
      listNotifications(tx, member, query.unread, page),
    )
    return {
      status: 200,
      body: { items: rows.map(({ row }) => toNotification(settings, params.org, row)), next_cursor },
    }
  }),

  serve(routes.markNotificationsRead, async (tx, { actor }, { params, body }) => {
    const member = await requireMember(tx, actor, params.org)
    return { status: 200, body: { marked: await markRead(tx, member, body.all ? 'all' : (body.ids ?? [])) } }
  }),
]
