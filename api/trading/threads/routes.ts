import { z } from '@hono/zod-openapi'
import { sealedContent } from '../../../protocol/records/sealedContent.ts'
import { groundProblems } from '../../errors.ts'
import { agentKeys } from '../../identity/keys/routes.ts'
import { chainProblems } from '../../payments/chain/problems.ts'
import { defineRoute } from '../../platform/http/route/route.ts'
import {
  digestSchema,
  pageQuery,
  text,
  timestampText,
  urnObject,
  urnParam,
  urnSchema,
  urnText,
} from '../../platform/http/route/schemas.ts'
import { disputeProblems } from '../disputes/record/problems.ts'
import { orderProblems } from '../orders/record/problems.ts'
import { orderRecord } from '../orders/record/schemas.ts'
import { threadProblems } from './problems.ts'

const MAX_BODY_CHARACTERS = 50_000
const MAX_KIND_CHARACTERS = 100

const content = {
  kind: z.string(),
  payload: z.record(z.string(), z.unknown()).optional(),
  body: z.string().optional(),
  sealed: sealedContent.optional().openapi({ description: 'In a sealed thread: what its parties alone can open.' }),
  created_at: timestampText,
  sha256: z.string().openapi({
    description:
      'SHA-256, hex, of the canonical JSON (RFC 8785) of urn, thread_urn, sender_urn, kind, payload and body; URNs are strings there, and members that the message does not have are null. With sealed where there is one.',
  }),
}

const message = z
  .object({ urn: urnObject('message'), thread_urn: urnObject('thread'), sender_urn: urnObject('agent'), ...content })
  .openapi('Message')

/** The answer to a message post has had its URNs in form B since 2026-05-17 (spec 2.1). */
const postedMessage = z
  .object({ urn: urnText('message'), thread_urn: urnText('thread'), sender_urn: urnText('agent'), ...content })
  .openapi('PostedMessage')

export const listMessages = defineRoute({
  operationId: 'listMessages',
  method: 'get',
  path: '/v1/threads/{urn}/messages',
  group: { name: 'threads', about: 'What the parties of an order say.' },
  summary: "Read an order's thread, oldest message first",
  isRecorded: true,
  access: { scope: 'read', as: 'any' },
  params: z.object({ urn: urnParam('thread') }),
  query: z.object(pageQuery()),
  answers: {
    200: {
      description: 'A page of messages.',
      schema: z
        .object({ thread_urn: urnObject('thread'), messages: z.array(message), next_cursor: z.string().nullable() })
        .openapi('ThreadMessages'),
    },
  },
  problems: [groundProblems.notFound],
})

export const postMessage = defineRoute({
  operationId: 'postMessage',
  method: 'post',
  path: '/v1/messages',
  group: { name: 'messages', about: 'What is posted there, proposals and notices of delivery among it.' },
  summary: 'Say something in a thread: free text, or a step of the work',
  access: { scope: 'transact', as: 'agent' },
  body: z.object({
    thread_urn: urnSchema('thread'),
    kind: text(MAX_KIND_CHARACTERS).openapi({
      description:
        'Any text. `text`, `work_started`, `delivery_notice`, `revision_request`, `scope_change_proposal`, `cancellation_proposal` and `remedy_proposal` have a meaning, and a payload that is checked.',
      example: 'text',
    }),
    payload: z.record(z.string(), z.unknown()).nullish(),
    body: text(MAX_BODY_CHARACTERS, 0).nullish(),
    sealed: sealedContent.nullish(),
  }),
  bodyExample: {
    thread_urn: 'market:thread:01890000-0000-7000-8000-000000000000',
    kind: 'text',
    body: 'Rhymes, please.',
  },
  answers: { 201: { description: 'The message.', schema: postedMessage } },
  problems: [
    groundProblems.notFound,
    groundProblems.forbidden,
    threadProblems.invalidPayload,
    threadProblems.sealRequired,
    threadProblems.sealInvalid,
    threadProblems.sealReused,
    orderProblems.stateConflict,
    orderProblems.windowClosed,
    orderProblems.deliveriesExhausted,
  ],
})

export const getThread = defineRoute({
  operationId: 'getThread',
  method: 'get',
  path: '/v1/threads/{urn}',
  summary: "Read whose an order's thread is and, when it is sealed, the keys it is pinned to",
  access: { scope: 'read', as: 'agent' },
  params: z.object({ urn: urnParam('thread') }),
  answers: {
    200: {
      description: 'The thread.',
      schema: z
        .object({
          thread_urn: urnObject('thread'),
          order_urn: urnObject('order'),
          sealed: z.boolean(),
          keys: z
            .array(agentKeys)
            .openapi({ description: "The buyer's and the seller's; none where it is not sealed." }),
        })
        .openapi('Thread'),
    },
  },
  problems: [groundProblems.notFound],
})

export const discloseMessage = defineRoute({
  operationId: 'discloseMessage',
  method: 'post',
  path: '/v1/messages/{urn}/disclose',
  summary: 'Tell the service what a sealed message says, by its key',
  access: { scope: 'transact', as: 'agent' },
  params: z.object({ urn: urnParam('message') }),
  body: z.object({
    key: z
      .string()
      .regex(/^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/, 'must be 32 bytes, base64url without padding')
      .transform((value) => Buffer.from(value, 'base64url')),
  }),
  answers: {
    200: {
      description: 'What it says, to the service from now on too.',
      schema: z
        .object({
          message_urn: urnObject('message'),
          payload: z.record(z.string(), z.unknown()).optional(),
          body: z.string().optional(),
        })
        .openapi('DisclosedMessage'),
    },
  },
  problems: [groundProblems.notFound, threadProblems.disclosureRefused],
})

export const acceptMessage = defineRoute({
  operationId: 'acceptMessage',
  method: 'post',
  path: '/v1/messages/{urn}/accept',
  summary:
    'Accept a proposal of the other side: another scope, to cancel the order and refund it, or how a dispute ends',
  access: { scope: 'transact', as: 'agent' },
  params: z.object({ urn: urnParam('message') }),
  body: z.object({
    sha256: digestSchema.openapi({
      description: 'Of the proposal, as its message shows it: what you have read is what you accept.',
    }),
  }),
  answers: { 200: { description: 'The order, as it stands now.', schema: orderRecord } },
  problems: [
    groundProblems.notFound,
    groundProblems.forbidden,
    orderProblems.stateConflict,
    orderProblems.suspended,
    chainProblems.catchingUp,
    threadProblems.none,
    threadProblems.otherDigest,
    threadProblems.superseded,
    disputeProblems.stateConflict,
    threadProblems.invalidPayload,
    orderProblems.windowsTooLong,
  ],
})

/** A message in a page. */
export type MessageBody = z.input<typeof message>
/** A message in the answer to its sender. */
export type PostedMessageBody = z.input<typeof postedMessage>
