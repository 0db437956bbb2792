import { accountOf } from '../../actor.ts'
import { serve } from '../../platform/http/serve/serve.ts'
import { serveMember } from '../serveMember.ts'
import { addDevice, listDevices, removeDevice, toDevice } from './internal/devices.ts'
import { listNotifications, toNotification } from './internal/find.ts'
import { markRead } from './internal/markRead.ts'
import { readPrefs, replacePrefs } from './internal/prefs.ts'
import { titlesOf } from './internal/titles.ts'
import { countUnread } from './internal/unread.ts'
import * as routes from './routes.ts'

export const notificationHandlers = [
  serve(routes.getNotificationPrefs, async (tx, { actor }) => ({ status: 200, body: await readPrefs(tx, actor) })),

  serve(routes.replaceNotificationPrefs, async (tx, { actor, settings }, { body }) => ({
    status: 200,
    body: await replacePrefs(tx, settings, actor, body),
  })),

  serve(routes.createPushSubscription, async (tx, { actor, settings }, { body }) => ({
    status: 201,
    body: toDevice(await addDevice(tx, settings, actor, body)),
  })),

  serve(routes.listPushSubscriptions, async (tx, { actor }) => ({
    status: 200,
    body: { items: (await listDevices(tx, actor)).map(toDevice) },
  })),

  serve(routes.deletePushSubscription, async (tx, { actor }, { params }) => {
    await removeDevice(tx, actor, params.id)
    return { status: 204, body: undefined }
  }),

  serve(routes.listTradeNotifications, async (tx, { actor, settings }, { query, list }) => ({
    status: 200,
    body: await list.read(
      (page) => listNotifications(tx, { accountId: accountOf(actor), orgId: null }, query.unread, page),
      ({ row }) => toNotification(settings, null, row),
    ),
  })),

  serve(routes.countUnreadNotifications, async (tx, { actor }) => ({
    status: 200,
    body: await countUnread(tx, actor),
  })),

  serve(routes.markTradeNotificationsRead, async (tx, { actor }, { body }) => ({
    status: 200,
    body: {
      marked: await markRead(tx, { accountId: accountOf(actor), orgId: null }, body.all ? 'all' : (body.ids ?? [])),
    },
  })),

  serveMember(routes.listNotifications, async (tx, { member, settings }, { params, query, list }) => {
    const { items, next_cursor } = await list.read(
      (page) => listNotifications(tx, member, query.unread, page),
      ({ row }) => row,
    )
    const titles = await titlesOf(
      tx,
      member,
      items.map(({ entity_id }) => entity_id),
    )
    const shown = items.map((row) => toNotification(settings, params.org, row, titles.get(row.entity_id)))
    return { status: 200, body: { items: shown, next_cursor } }
  }),

  serveMember(routes.markNotificationsRead, async (tx, { member }, { body }) => ({
    status: 200,
    body: { marked: await markRead(tx, member, body.all ? 'all' : (body.ids ?? [])) },
  })),
]
