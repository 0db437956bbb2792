import { z } from '@hono/zod-openapi'
import { defineRoute } from '../../platform/http/route/route.ts'
import { nameText, pageQuery, timestampSchema, timestampText } from '../../platform/http/route/schemas.ts'
import { orgRoute } from '../orgRoute.ts'
import { authorText, pageOf, readsWorkspace, shortIdText, writesWorkspace } from '../schemas.ts'
import { NOTIFICATION_ROLES } from './kinds.ts'
import { pushProblems } from './problems.ts'

const MAX_IDS = 1_000
const MAX_KINDS = 200
const MAX_KIND_CHARACTERS = 100
const MAX_ZONE_CHARACTERS = 60
const MAX_URL_CHARACTERS = 2_000
const MAX_KEY_CHARACTERS = 200
const MAX_BROWSER_CHARACTERS = 100

const notification = z
  .object({
    id: z.uuid(),
    kind: z.string().openapi({ example: 'attachment.created' }),
    role: z.enum(NOTIFICATION_ROLES).openapi({ description: 'As what you are told.' }),
    title: z.string(),
    entity_type: z.string(),
    entity_title: z.string().nullable().openapi({
      description: 'What the thing is called now, where you see it; of trades it is null.',
    }),
    entity_deleted: z.boolean().openapi({ description: 'Whether it is a comment that was deleted.' }),
    entity_id: z.uuid(),
    short_id: shortIdText.nullable(),
    space_id: z.uuid().nullable(),
    actor: authorText.nullable().openapi({ description: 'Who did it; null for the service.' }),
    url: z.url(),
    created_at: timestampText.openapi({ description: 'When it appeared.' }),
    read_at: timestampText.nullable(),
    confirmation: z.object({ id: z.uuid(), question: z.string(), expires_at: timestampText }).nullable().openapi({
      description: 'The question that it is: it is listed while that is pending.',
    }),
  })
  .openapi('Notification')

const time = z
  .string()
  .regex(/^([01][0-9]|2[0-3]):[0-5][0-9]$/, 'must be a time of the day: 22:00')
  .openapi({ example: '22:00' })
const channel = z.enum(['in_app', 'push', 'email'])
const kindPref = z
  .object({
    kind: z
      .string()
      .max(MAX_KIND_CHARACTERS)
      .regex(/^[a-z][a-z0-9_.]*$/, 'must be a kind such as attachment.created')
      .openapi({ example: 'attachment.created' }),
    channels: z.array(channel).openapi({ description: 'None: you are not told at all.', example: ['in_app', 'email'] }),
    in_quiet_hours: z.boolean().default(false).openapi({ description: 'Whether it appears in quiet hours too.' }),
  })
  .openapi('KindPref')
const quietHours = z
  .object({
    from: time,
    until: time,
    time_zone: z.string().max(MAX_ZONE_CHARACTERS).openapi({ example: 'Europe/Berlin' }),
  })
  .refine(({ from, until }) => from !== until, { path: ['until'], message: 'must not be `from`' })
  .openapi('QuietHours')
const until = timestampSchema.transform((at) => at.toISOString()).openapi({ format: 'date-time' })
const hiddenRole = z.object({ role: z.enum(NOTIFICATION_ROLES), until }).openapi('HiddenRole')

const prefs = z
  .object({
    kinds: z
      .array(kindPref)
      .max(MAX_KINDS)
      .refine((kinds) => new Set(kinds.map(({ kind }) => kind)).size === kinds.length, 'must name each kind once')
      .openapi({ description: 'Kinds that are not listed are told in the app and by push.' }),
    quiet_hours: quietHours
      .nullable()
      .default(null)
      .openapi({ description: 'What comes in this time of the day appears at its end.' }),
    hidden_roles: z
      .array(hiddenRole)
      .max(NOTIFICATION_ROLES.length)
      .default([])
      .openapi({ description: 'What you are told in such a role appears at that time.' }),
  })
  .openapi('NotificationPrefs')

const device = z
  .object({
    id: z.uuid(),
    endpoint: z.url(),
    browser: z.string().nullable().openapi({ description: 'The name that it was registered with.' }),
    created_at: timestampText,
    last_success_at: timestampText.nullable().openapi({ description: 'When its push service last took a message.' }),
  })
  .openapi('PushSubscription')

export const getNotificationPrefs = defineRoute({
  operationId: 'getNotificationPrefs',
  method: 'get',
  path: '/me/notification-prefs',
  group: { name: 'notification-prefs', about: 'Workspace: how you are told.' },
  summary: 'Read how you want to be told',
  isWorkspace: true,
  access: readsWorkspace,
  answers: { 200: { description: 'Your preferences.', schema: prefs } },
})

export const replaceNotificationPrefs = defineRoute({
  operationId: 'replaceNotificationPrefs',
  method: 'put',
  path: '/me/notification-prefs',
  summary: 'Replace how you want to be told of what happens from now on',
  isWorkspace: true,
  access: writesWorkspace,
  body: prefs,
  bodyExample: { kinds: [{ kind: 'attachment.created', channels: ['in_app'] }] },
  answers: { 200: { description: 'Your preferences.', schema: prefs } },
})

export const createPushSubscription = defineRoute({
  operationId: 'createPushSubscription',
  method: 'post',
  path: '/me/push-subscriptions',
  group: { name: 'push-subscriptions', about: 'Workspace: devices that you are told on.' },
  summary: 'Be told on a device, by Web Push; its application server key is in the public configuration',
  isWorkspace: true,
  access: writesWorkspace,
  body: z
    .object({
      endpoint: z.string().max(MAX_URL_CHARACTERS).openapi({ format: 'uri', example: 'https://push.example.com/1' }),
      expirationTime: z.number().nullable().optional().openapi({ description: 'As browsers write it; ignored.' }),
      keys: z
        .object({ p256dh: z.string().max(MAX_KEY_CHARACTERS), auth: z.string().max(MAX_KEY_CHARACTERS) })
        .openapi('PushKeys'),
      browser: nameText(MAX_BROWSER_CHARACTERS).optional().openapi({
        description: 'What the list of devices calls it.',
        example: 'Firefox on Android',
      }),
    })
    .openapi('NewPushSubscription'),
  answers: { 201: { description: 'The device.', schema: device } },
  problems: [pushProblems.registeredElsewhere],
})

export const listPushSubscriptions = defineRoute({
  operationId: 'listPushSubscriptions',
  method: 'get',
  path: '/me/push-subscriptions',
  summary: 'List the devices that you are told on, newest first',
  isWorkspace: true,
  access: readsWorkspace,
  answers: { 200: { description: 'At most twenty.', schema: z.object({ items: z.array(device) }) } },
})

export const deletePushSubscription = defineRoute({
  operationId: 'deletePushSubscription',
  method: 'delete',
  path: '/me/push-subscriptions/{id}',
  summary: 'Be told on a device no more',
  isWorkspace: true,
  access: writesWorkspace,
  params: z.object({
    id: z.uuid().openapi({ description: 'Id of the device.', example: '01890000-0000-7000-8000-000000000000' }),
  }),
  answers: { 204: { description: 'It is told nothing more.' } },
})

const unreadQuery = z.object({
  ...pageQuery(200, 50),
  unread: z
    .enum(['true', 'false'])
    .transform((value) => value === 'true')
    .default(false)
    .openapi({ description: 'Unread ones alone.' }),
})
const markRead = z
  .object({
    all: z.boolean().optional(),
    ids: z.array(z.uuid()).max(MAX_IDS).optional(),
  })
  .refine(({ all, ids }) => all === true || ids !== undefined, {
    path: ['ids'],
    message: 'must be there, unless `all` is true',
  })
const marked = {
  200: {
    description: 'How many of them were unread.',
    schema: z.object({ marked: z.int() }).openapi('Marked'),
  },
}

export const listTradeNotifications = defineRoute({
  operationId: 'listTradeNotifications',
  method: 'get',
  path: '/me/notifications',
  group: { name: 'trade-notifications', about: 'What the people behind the agents of a trade are told.' },
  summary: 'List what you are told of the orders, disputes and payouts of your agents, newest first',
  isWorkspace: true,
  access: readsWorkspace,
  query: unreadQuery,
  answers: { 200: { description: 'A page of notifications.', schema: pageOf(notification) } },
})

export const countUnreadNotifications = defineRoute({
  operationId: 'countUnreadNotifications',
  method: 'get',
  path: '/me/notifications/unread',
  summary: 'Count what you have not read, of trades and of each org that you are in',
  isWorkspace: true,
  access: readsWorkspace,
  answers: {
    200: {
      description: 'At most a thousand are counted.',
      schema: z
        .object({
          unread: z.int().openapi({ description: 'All of them.' }),
          trades: z.int(),
          orgs: z
            .array(z.object({ org: z.string().openapi({ description: 'Its slug.' }), unread: z.int() }))
            .openapi({ description: 'Those with some.' }),
        })
        .openapi('UnreadNotifications'),
    },
  },
})

export const markTradeNotificationsRead = defineRoute({
  operationId: 'markTradeNotificationsRead',
  method: 'post',
  path: '/me/notifications/read',
  summary: 'Mark what you were told of trades as read: some of it, or all that has appeared',
  isWorkspace: true,
  access: writesWorkspace,
  body: markRead,
  bodyExample: { all: true },
  answers: marked,
})

export const listNotifications = orgRoute({
  operationId: 'listNotifications',
  method: 'get',
  path: '/notifications',
  group: { name: 'notifications', about: 'Workspace: what members are told, and how.' },
  summary: 'List what you are told of an org, newest first',
  access: readsWorkspace,
  query: unreadQuery,
  answers: { 200: { description: 'A page of notifications.', schema: pageOf(notification) } },
})

export const markNotificationsRead = orgRoute({
  operationId: 'markNotificationsRead',
  method: 'post',
  path: '/notifications/read',
  summary: 'Mark notifications as read: some of them, or all that have appeared',
  access: writesWorkspace,
  body: markRead,
  bodyExample: { all: true },
  answers: marked,
})
