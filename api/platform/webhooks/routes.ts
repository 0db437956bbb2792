import { z } from '@hono/zod-openapi'
import { groundProblems } from '../../errors.ts'
import { subjectSchema } from '../events/subjects.ts'
import { defineRoute } from '../http/route/route.ts'
import { pageQuery, timestampSchema, timestampText, urnObject, urnParam } from '../http/route/schemas.ts'
import { webhookProblems } from './problems.ts'

const MAX_PATTERNS = 100
const MAX_URL_CHARACTERS = 2_000
const MAX_TYPE_CHARACTERS = 100

const manage = { scope: 'manage', as: 'any' } as const
const operate = { scope: 'manage', as: 'operator' } as const
const params = z.object({ urn: urnParam('webhook') })
const deliveryParams = params.extend({
  id: z.uuid().openapi({ description: 'Id of the delivery.', example: '01890000-0000-7000-8000-000000000000' }),
})

const url = z.string().max(MAX_URL_CHARACTERS).openapi({
  format: 'uri',
  example: 'https://example.com/market',
  description: 'https, on port 443 or 8443, at a public address, without user name or password.',
})
const eventTypes = z
  .array(z.string())
  .min(1)
  .max(MAX_PATTERNS)
  .refine(
    (patterns) => patterns.every((pattern) => subjectSchema.safeParse(pattern).success),
    'each must be an event type such as order.placed, <domain>.* such as order.*, or *, of GET /v1/events/types',
  )
  .openapi({ example: ['order.*', 'receipt.finalized'] })

const webhook = z
  .object({
    urn: urnObject('webhook'),
    owner_urn: z.union([urnObject('agent'), urnObject('human'), urnObject('org')]),
    url: z.string(),
    event_types: z.array(z.string()),
    secret_hash: z.string().openapi({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the secret, hex.' }),
    status: z.enum(['active', 'paused', 'disabled']).openapi({
      description: 'Nothing is sent while it is not active; what happens meanwhile is kept, and sent afterwards.',
    }),
    status_reason: z.enum(['owner', 'failing', 'operator', 'deactivated', 'gone']).optional().openapi({
      description:
        'Who paused or disabled it: its owner, the service because every attempt failed, an operator, the deactivation of its agent, or its receiver (of an org, with 410).',
    }),
    created_at: timestampText,
    updated_at: timestampText,
  })
  .openapi('WebhookSubscription')

const secret = z.string().openapi({ example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' })
const webhookPage = z.object({ webhooks: z.array(webhook), next_cursor: z.string().nullable() })
const created = z.object({ subscription: webhook, secret }).openapi('CreatedWebhook')

const deliveryStatus = z.enum(['pending', 'delivered', 'retrying', 'dead_letter'])
/** A filter for deliveries. */
export const deliveryFilter = {
  status: deliveryStatus.optional().openapi({ description: 'Only those with this status.' }),
  type: z.string().max(MAX_TYPE_CHARACTERS).optional().openapi({
    description: 'Only those of events of this type.',
  }),
}

/** One attempt to send a delivery. */
export const attemptSchema = z.object({
  attempted_at: timestampText,
  status_code: z.int().nullable().openapi({ description: 'What the receiver answered; null for no answer.' }),
  latency_ms: z.int(),
  failure: z.string().nullable().openapi({
    description: 'Why there was no answer: timeout, address_refused, dns_failure, tls_failure or connection_failed.',
  }),
})

const delivery = z
  .object({
    id: z.uuid(),
    subscription_urn: urnObject('webhook'),
    event_id: z.uuid(),
    event_type: z.string(),
    status: deliveryStatus,
    attempts: z.int().openapi({ description: 'Of this delivery since it was last replayed.' }),
    attempt_log: z.array(attemptSchema).openapi({ description: 'Each attempt since it was last replayed.' }),
    created_at: timestampText,
    last_attempt_at: timestampText.optional().openapi({ description: 'Absent until the first attempt.' }),
    next_attempt_at: timestampText.optional().openapi({ description: 'While it is retrying.' }),
    response_status: z.int().optional().openapi({ description: 'What the receiver answered last.' }),
    response_body: z.string().optional().openapi({
      description: 'The first 1,000 bytes of that answer as text, decoded by its Content-Encoding and charset.',
    }),
    latency_ms: z.int().optional().openapi({ description: 'How long the last attempt took.' }),
    failure: z.string().optional().openapi({
      description:
        'Why the last attempt had no answer: timeout, address_refused, dns_failure, tls_failure or connection_failed.',
    }),
  })
  .openapi('WebhookDelivery')
const deliveryDetail = delivery
  .extend({
    response_headers: z.record(z.string(), z.string()).optional().openapi({
      description: 'Headers of the last answer: at most 30, without cookies. Absent without an answer.',
    }),
    request_body: z.string().optional().openapi({
      description: 'The body of each attempt, byte by byte. Shown to whom the webhook belongs alone.',
    }),
  })
  .openapi('WebhookDeliveryDetail')
const deliveryPage = z.object({ deliveries: z.array(delivery), next_cursor: z.string().nullable() })

export const createWebhook = defineRoute({
  operationId: 'createWebhook',
  method: 'post',
  path: '/v1/webhooks',
  group: { name: 'webhooks', about: 'Where your events are sent, and how each got there.' },
  summary: 'Have the events of your account posted to a URL, signed',
  access: manage,
  body: z.object({ url, event_types: eventTypes }),
  answers: {
    201: {
      description: 'The webhook. Its secret is shown this once.',
      schema: created,
      isSecret: true,
    },
  },
  problems: [webhookProblems.tooMany, groundProblems.deactivated],
})

export const listWebhooks = defineRoute({
  operationId: 'listWebhooks',
  method: 'get',
  path: '/v1/webhooks',
  summary: 'List the webhooks of your account, and as a human those of your agents, newest first',
  access: manage,
  query: z.object(pageQuery()),
  answers: {
    200: {
      description: 'A page of webhooks.',
      schema: webhookPage,
    },
  },
})

export const getWebhook = defineRoute({
  operationId: 'getWebhook',
  method: 'get',
  path: '/v1/webhooks/{urn}',
  summary: 'Read a webhook',
  access: manage,
  params,
  answers: { 200: { description: 'The webhook.', schema: webhook } },
  problems: [groundProblems.notFound],
})

export const updateWebhook = defineRoute({
  operationId: 'updateWebhook',
  method: 'patch',
  path: '/v1/webhooks/{urn}',
  summary: 'Change the URL or the events of a webhook, pause it, or let it go on; another URL gets another secret',
  access: manage,
  params,
  body: z.object({
    url: url.optional(),
    event_types: eventTypes.optional(),
    status: z.enum(['active', 'paused']).optional(),
  }),
  answers: {
    200: {
      description: 'The webhook, and where the URL has changed its new secret, which is shown this once.',
      schema: z.object({ subscription: webhook, secret: secret.optional() }),
      isSecret: true,
    },
  },
  problems: [groundProblems.notFound, webhookProblems.disabled],
})

export const deleteWebhook = defineRoute({
  operationId: 'deleteWebhook',
  method: 'delete',
  path: '/v1/webhooks/{urn}',
  summary: 'Delete a webhook, what is still to be sent to it, and its history',
  access: manage,
  params,
  answers: { 204: { description: 'It is deleted.' } },
  problems: [groundProblems.notFound],
})

export const rotateWebhookSecret = defineRoute({
  operationId: 'rotateWebhookSecret',
  method: 'post',
  path: '/v1/webhooks/{urn}/rotate',
  summary: 'Give a webhook a new secret; for a time the former one signs beside it',
  access: manage,
  params,
  answers: {
    201: {
      description: 'The webhook and its new secret, which is shown this once.',
      schema: created,
      isSecret: true,
    },
  },
  problems: [groundProblems.notFound],
})

export const testWebhook = defineRoute({
  operationId: 'testWebhook',
  method: 'post',
  path: '/v1/webhooks/{urn}/test',
  summary: 'Send a webhook.test event to this webhook alone, whatever events it names',
  access: manage,
  params,
  answers: { 202: { description: 'The delivery, which is on its way.', schema: delivery } },
  problems: [groundProblems.notFound, webhookProblems.notActive],
})

export const listWebhookDeliveries = defineRoute({
  operationId: 'listWebhookDeliveries',
  method: 'get',
  path: '/v1/webhooks/{urn}/deliveries',
  summary: 'List what was sent to a webhook, or is to be sent, newest first',
  access: manage,
  params,
  query: z.object({ ...pageQuery(), ...deliveryFilter }),
  answers: {
    200: {
      description: 'A page of deliveries.',
      schema: deliveryPage,
    },
  },
  problems: [groundProblems.notFound],
})

export const getWebhookDelivery = defineRoute({
  operationId: 'getWebhookDelivery',
  method: 'get',
  path: '/v1/webhooks/{urn}/deliveries/{id}',
  summary: 'Read a delivery, with what was sent and each attempt',
  access: manage,
  params: deliveryParams,
  answers: { 200: { description: 'The delivery.', schema: deliveryDetail } },
  problems: [groundProblems.notFound],
})

export const replayWebhookDelivery = defineRoute({
  operationId: 'replayWebhookDelivery',
  method: 'post',
  path: '/v1/webhooks/{urn}/deliveries/{id}/replay',
  summary: 'Send a delivery again that was delivered or is a dead letter, with all its attempts',
  access: manage,
  versions: ['2026-05-17'],
  params: deliveryParams,
  answers: { 202: { description: 'The delivery, which is on its way again.', schema: delivery } },
  problems: [groundProblems.notFound, webhookProblems.notReplayable],
})

export const recoverWebhook = defineRoute({
  operationId: 'recoverWebhook',
  method: 'post',
  path: '/v1/webhooks/{urn}/recover',
  summary: 'Send every dead letter again whose event is from a time or later; at most 10,000, oldest first',
  access: manage,
  versions: ['2026-05-17'],
  params,
  body: z.object({ since: timestampSchema }),
  answers: {
    202: {
      description: 'How many are on their way again.',
      schema: z.object({ recovered: z.int() }),
    },
  },
  problems: [groundProblems.notFound],
})

export const disableWebhook = defineRoute({
  operationId: 'disableWebhook',
  method: 'post',
  path: '/v1/webhooks/{urn}/disable',
  summary: 'Disable the webhook of any account; only an operator can enable it again',
  access: operate,
  params,
  answers: { 200: { description: 'The webhook, disabled.', schema: webhook } },
  problems: [groundProblems.notFound, webhookProblems.disabled],
})

export const enableWebhook = defineRoute({
  operationId: 'enableWebhook',
  method: 'post',
  path: '/v1/webhooks/{urn}/enable',
  summary: 'Let a disabled webhook go on',
  access: operate,
  params,
  answers: { 200: { description: 'The webhook, active.', schema: webhook } },
  problems: [groundProblems.notFound, webhookProblems.notDisabled],
})

export const listAllWebhooks = defineRoute({
  operationId: 'listAllWebhooks',
  method: 'get',
  path: '/v1/operator/webhooks',
  summary: "Operators: list everybody's webhooks, newest first",
  access: { scope: 'read', as: 'operator' },
  query: z.object({
    owner_urn: urnParam('human').optional().openapi({ description: 'Only those of this human and their agents.' }),
    ...pageQuery(),
  }),
  answers: { 200: { description: 'A page of webhooks.', schema: webhookPage } },
})

export const listAnyWebhookDeliveries = defineRoute({
  operationId: 'listAnyWebhookDeliveries',
  method: 'get',
  path: '/v1/operator/webhooks/{urn}/deliveries',
  summary: "Operators: list what was sent to anybody's webhook, or is to be sent, newest first",
  access: { scope: 'read', as: 'operator' },
  params,
  query: z.object({ ...pageQuery(), ...deliveryFilter }),
  answers: { 200: { description: 'A page of deliveries.', schema: deliveryPage } },
  problems: [groundProblems.notFound],
})

export const getAnyWebhookDelivery = defineRoute({
  operationId: 'getAnyWebhookDelivery',
  method: 'get',
  path: '/v1/operator/webhooks/{urn}/deliveries/{id}',
  summary: "Operators: read a delivery to anybody's webhook, with each attempt, without what was sent",
  access: { scope: 'read', as: 'operator' },
  params: deliveryParams,
  answers: { 200: { description: 'The delivery.', schema: deliveryDetail } },
  problems: [groundProblems.notFound],
})

export const replayAnyWebhookDelivery = defineRoute({
  operationId: 'replayAnyWebhookDelivery',
  method: 'post',
  path: '/v1/operator/webhooks/{urn}/deliveries/{id}/replay',
  summary: "Operators: send a delivery of anybody's webhook again, with all its attempts",
  access: operate,
  params: deliveryParams,
  answers: { 202: { description: 'The delivery, which is on its way again.', schema: delivery } },
  problems: [groundProblems.notFound, webhookProblems.notReplayable],
})

/** A webhook in its wire form. */
export type WireWebhook = z.input<typeof webhook>
/** A delivery in its wire form. */
export type WireDelivery = z.input<typeof delivery>
/** A delivery with its attempts, in its wire form. */
export type WireDeliveryDetail = z.input<typeof deliveryDetail>
