import { z } from '@hono/zod-openapi'
import { groundProblems } from '../../errors.ts'
import { defineRoute } from '../../platform/http/route/route.ts'
import {
  text,
  timestampSchema,
  timestampText,
  tokenScope,
  urnObject,
  urnParam,
} from '../../platform/http/route/schemas.ts'
import { spendLimit, spendLimitSchema } from '../tokens/spendLimitSchemas.ts'
import { ticketProblems } from './problems.ts'

const TICKET_CHARACTERS = 200

const manage = { scope: 'manage', as: 'human' } as const

export const issueTicket = defineRoute({
  operationId: 'issueTicket',
  method: 'post',
  path: '/v1/me/agents/{urn}/tickets',
  summary: 'Make a ticket by which an agent of yours gets its first token; it takes the place of an earlier one',
  access: manage,
  params: z.object({ urn: urnParam('agent') }),
  body: z.object({
    scopes: z
      .array(tokenScope)
      .min(1)
      .refine((scopes) => new Set(scopes).size === scopes.length, 'must name each scope once'),
    token_expires_at: timestampSchema.optional().openapi({ description: 'When the token will end.' }),
    spend_limit: spendLimitSchema.optional(),
  }),
  answers: {
    201: {
      description: 'Give the ticket to the agent. It is shown this once, and good once, for rules.ticket_seconds.',
      isSecret: true,
      schema: z
        .object({
          urn: urnObject('ticket'),
          agent_urn: urnObject('agent'),
          ticket: z.string(),
          scopes: z.array(tokenScope),
          spend_limit: spendLimit.nullable(),
          expires_at: timestampText,
        })
        .openapi('Ticket'),
    },
  },
  problems: [groundProblems.deactivated, groundProblems.reAuthRequired],
})

export const revokeTicket = defineRoute({
  operationId: 'revokeTicket',
  method: 'post',
  path: '/v1/me/tickets/{urn}/revoke',
  group: { name: 'tickets', about: 'How an agent gets its first token.' },
  summary: 'Revoke a ticket',
  access: manage,
  params: z.object({ urn: urnParam('ticket') }),
  answers: { 204: { description: 'It is good no more.' } },
})

export const exchangeTicket = defineRoute({
  operationId: 'exchangeTicket',
  method: 'post',
  path: '/v1/tickets/exchange',
  group: { name: 'tickets' },
  summary:
    'Exchange a ticket for the token it stands for. With an Idempotency-Key an answer that is lost can be had again',
  access: 'public',
  credentialMember: 'ticket',
  body: z.object({ ticket: text(TICKET_CHARACTERS) }),
  answers: {
    201: {
      description: 'The token. Its secret is shown this once and not kept.',
      isSecret: true,
      schema: z.object({
        urn: urnObject('token'),
        secret: z.string(),
        agent_urn: urnObject('agent'),
        scopes: z.array(tokenScope),
        expires_at: timestampText.nullable(),
        spend_limit: spendLimit.nullable(),
      }),
    },
  },
  problems: [ticketProblems.ticketInvalid],
})
