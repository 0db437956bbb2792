import { z } from '@hono/zod-openapi'
import { defineRoute } from '../../platform/http/route.ts'
import { pageQuery, timestampText } from '../../platform/http/schemas.ts'
import { authorText, orgParam, pageOf, readsWorkspace, shortIdText, writesWorkspace } from '../schemas.ts'
import { NOTIFICATION_ROLES } from './kinds.ts'

const MAX_IDS = 1_000

const params = z.object({ org: orgParam })

const notification = z
  .object({
    id: z.uuid(),
    kind: z.string().openapi({ example: 'attachment.created' }),
    role: z.enum(NOTIFICATION_ROLES).openapi({ description: 'As what you are told.' }),
    title: z.string(),
    entity_type: z.string(),
    entity_id: z.uuid(),
    short_id: shortIdText.nullable(),
    space_id: z.uuid().nullable(),
    actor: authorText.nullable().openapi({ description: 'Who did it; null for the service.' }),
    url: z.url(),
    created_at: timestampText.openapi({ description: 'When it appeared.' }),
    read_at: timestampText.nullable(),
  })
  .openapi('Notification')

export const listNotifications = defineRoute({
  operationId: 'listNotifications',
  method: 'get',
  path: '/orgs/{org}/notifications',
  summary: 'List what you are told of an org, newest first',
  isWorkspace: true,
  access: readsWorkspace,
  params,
  query: z.object({
    ...pageQuery(200, 50),
    unread: z
      .enum(['true', 'false'])
      .transform((value) => value === 'true')
      .default(false)
      .openapi({ description: 'Unread ones alone.' }),
  }),
  answers: { 200: { description: 'A page of notifications.', schema: pageOf(notification) } },
})

export const markNotificationsRead = defineRoute({
  operationId: 'markNotificationsRead',
  method: 'post',
  path: '/orgs/{org}/notifications/read',
  summary: 'Mark notifications as read: some of them, or all that have appeared',
  isWorkspace: true,
  access: writesWorkspace,
  params,
  body: z
    .object({
      all: z.boolean().optional(),
      ids: z.array(z.uuid()).max(MAX_IDS).optional(),
    })
    .refine(({ all, ids }) => all === true || ids !== undefined, {
      path: ['ids'],
      message: 'must be there, unless `all` is true',
    }),
  bodyExample: { all: true },
  answers: {
    200: {
      description: 'How many of them were unread.',
      schema: z.object({ marked: z.int() }).openapi('Marked'),
    },
  },
})
