import { z } from '@hono/zod-openapi'
import { groundProblems } from '../../errors.ts'
import { pageQuery, timestampSchema, timestampText } from '../../platform/http/route/schemas.ts'
import { webhookProblems } from '../../platform/webhooks/problems.ts'
import { attemptSchema, deliveryFilter } from '../../platform/webhooks/routes.ts'
import { orgRoute } from '../orgRoute.ts'
import { pageOf, refSchema } from '../schemas.ts'

const MAX_PATTERNS = 100
const MAX_SPACES = 100
const MAX_URL_CHARACTERS = 2_000
const MAX_PATTERN_CHARACTERS = 100
const PATTERN = /^(?:\*|[a-z][a-z0-9_.]*\*?)$/

const access = { scope: 'manage', as: 'any' } as const
const params = z.object({
  id: z.uuid().openapi({ description: 'Id of the webhook.', example: '01890000-0000-7000-8000-000000000000' }),
})
const deliveryParams = params.extend({
  delivery: z.uuid().openapi({
    description: 'Id of the delivery.',
    example: '01890000-0000-7000-8000-000000000000',
  }),
})

const url = z.string().max(MAX_URL_CHARACTERS).openapi({
  format: 'uri',
  example: 'https://example.com/workspace',
  description: 'https, on port 443 or 8443, at a public address, without user name or password.',
})
const events = z
  .array(
    z
      .string()
      .max(MAX_PATTERN_CHARACTERS)
      .regex(PATTERN, 'must be a type such as task.submitted, a prefix ending in * such as task.*, or *'),
  )
  .min(1)
  .max(MAX_PATTERNS)
  .openapi({ example: ['attachment.*', 'page.updated'] })
const spaces = z
  .array(refSchema('space'))
  .min(1)
  .max(MAX_SPACES)
  .nullable()
  .openapi({ description: 'Spaces whose events are sent. Without it, or null: every space.' })

const webhook = z
  .object({
    id: z.uuid(),
    url: z.string(),
    events: z.array(z.string()),
    spaces: z.array(z.uuid()).nullable(),
    status: z
      .enum(['active', 'paused', 'disabled'])
      .openapi({ description: 'Nothing is sent while it is not active.' }),
    status_reason: z.enum(['owner', 'failing', 'gone', 'operator', 'deactivated', 'no_access']).nullable().openapi({
      description:
        'Who paused or disabled it: a manager of the org, the service because every attempt failed, its receiver with 410, or an operator. no_access: who chose its URL is no owner or admin any more, or did so through an agent that is shut out; a manager who sets it to active answers for it from then on.',
    }),
    created_at: timestampText,
    updated_at: timestampText,
  })
  .openapi('OrgWebhook')

const secret = z.string().openapi({ example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' })
const withSecret = webhook.extend({ secret }).openapi('OrgWebhookWithSecret')

const delivery = z
  .object({
    id: z.uuid(),
    event_id: z.uuid(),
    type: z.string(),
    status: z.enum(['pending', 'retrying', 'delivered', 'dead_letter']),
    attempts: z.array(attemptSchema),
    status_code: z.int().nullable().openapi({ description: 'Of the last attempt.' }),
    latency_ms: z.int().nullable().openapi({ description: 'Of the last attempt.' }),
    failure: z.string().nullable().openapi({
      description: 'Of the last attempt; url_changed or gone for what was never sent because of that.',
    }),
    created_at: timestampText,
    last_attempt_at: timestampText.optional().openapi({ description: 'Absent until the first attempt.' }),
    next_attempt_at: timestampText.nullable(),
  })
  .openapi('OrgWebhookDelivery')

export const createOrgWebhook = orgRoute({
  operationId: 'createOrgWebhook',
  method: 'post',
  path: '/webhooks',
  group: { name: 'webhooks' },
  summary: 'Have the events of an org posted to a URL, signed',
  access,
  body: z.object({ url, events, spaces: spaces.optional() }),
  answers: {
    201: { description: 'The webhook, and its secret, which is shown this once.', schema: withSecret, isSecret: true },
  },
  problems: [webhookProblems.tooMany, groundProblems.deactivated],
})

export const listOrgWebhooks = orgRoute({
  operationId: 'listOrgWebhooks',
  method: 'get',
  path: '/webhooks',
  summary: 'List the webhooks of an org, newest first',
  access,
  query: z.object(pageQuery(200, 50)),
  answers: { 200: { description: 'A page of webhooks.', schema: pageOf(webhook) } },
})

export const getOrgWebhook = orgRoute({
  operationId: 'getOrgWebhook',
  method: 'get',
  path: '/webhooks/{id}',
  summary: 'Read a webhook of an org',
  access,
  params,
  answers: { 200: { description: 'The webhook.', schema: webhook } },
})

export const updateOrgWebhook = orgRoute({
  operationId: 'updateOrgWebhook',
  method: 'patch',
  path: '/webhooks/{id}',
  summary:
    'Change a webhook of an org, pause it, or let it go on; another URL gets another secret and no earlier event',
  access,
  params,
  body: z.object({
    url: url.optional(),
    events: events.optional(),
    spaces: spaces.optional(),
    status: z.enum(['active', 'paused']).optional(),
  }),
  answers: {
    200: {
      description: 'The webhook, and where the URL has changed its new secret, which is shown this once.',
      schema: webhook.extend({ secret: secret.optional() }),
      isSecret: true,
    },
  },
  problems: [webhookProblems.disabled],
})

export const deleteOrgWebhook = orgRoute({
  operationId: 'deleteOrgWebhook',
  method: 'delete',
  path: '/webhooks/{id}',
  summary: 'Delete a webhook of an org, what is still to be sent to it, and its history',
  access,
  params,
  answers: { 204: { description: 'It is deleted.' } },
})

export const rotateOrgWebhookSecret = orgRoute({
  operationId: 'rotateOrgWebhookSecret',
  method: 'post',
  path: '/webhooks/{id}/rotate',
  summary: 'Give a webhook of an org a new secret; for a time the former one signs beside it',
  access,
  params,
  answers: {
    201: {
      description: 'The webhook, and its new secret, which is shown this once.',
      schema: withSecret,
      isSecret: true,
    },
  },
})

export const testOrgWebhook = orgRoute({
  operationId: 'testOrgWebhook',
  method: 'post',
  path: '/webhooks/{id}/test',
  summary: 'Send a webhook.test event to this webhook alone, whatever events it names',
  access,
  params,
  answers: { 202: { description: 'The delivery, which is on its way.', schema: delivery } },
  problems: [webhookProblems.notActive],
})

export const listOrgWebhookDeliveries = orgRoute({
  operationId: 'listOrgWebhookDeliveries',
  method: 'get',
  path: '/webhooks/{id}/deliveries',
  summary: 'List what was sent to a webhook of an org, or is to be sent, with each attempt, newest first',
  access,
  params,
  query: z.object({ ...pageQuery(200, 50), ...deliveryFilter }),
  answers: { 200: { description: 'A page of deliveries.', schema: pageOf(delivery) } },
})

export const getOrgWebhookDelivery = orgRoute({
  operationId: 'getOrgWebhookDelivery',
  method: 'get',
  path: '/webhooks/{id}/deliveries/{delivery}',
  summary: 'Read a delivery to a webhook of an org, with what was sent and each attempt',
  access,
  params: deliveryParams,
  answers: {
    200: {
      description: 'The delivery.',
      schema: delivery
        .extend({ request_body: z.string().openapi({ description: 'The body of each attempt, byte by byte.' }) })
        .openapi('OrgWebhookDeliveryDetail'),
    },
  },
})

export const replayOrgWebhookDelivery = orgRoute({
  operationId: 'replayOrgWebhookDelivery',
  method: 'post',
  path: '/webhooks/{id}/deliveries/{delivery}/replay',
  summary: 'Send a delivery of an org again that was delivered or is a dead letter, with all its attempts',
  access,
  params: deliveryParams,
  answers: { 202: { description: 'The delivery, which is on its way again.', schema: delivery } },
  problems: [webhookProblems.notReplayable],
})

export const recoverOrgWebhook = orgRoute({
  operationId: 'recoverOrgWebhook',
  method: 'post',
  path: '/webhooks/{id}/recover',
  summary:
    'Send every dead letter of a webhook of an org again whose event is from a time or later; at most 10,000, oldest first',
  access,
  params,
  body: z.object({ since: timestampSchema }),
  answers: { 202: { description: 'How many are on their way again.', schema: z.object({ recovered: z.int() }) } },
})
