import { z } from '@hono/zod-openapi'
import { groundProblems } from '../../errors.ts'
import { defineRoute } from '../../platform/http/route/route.ts'
import {
  accountSchema,
  amountText,
  pageQuery,
  timestampSchema,
  timestampText,
  tokenScope,
  urnObject,
  urnParam,
} from '../../platform/http/route/schemas.ts'
import { spendLimit, spendLimitSchema } from './spendLimitSchemas.ts'

const secretToken = z.object({ urn: urnObject('token'), secret: z.string() }).openapi('MintedToken')

const token = z
  .object({
    urn: urnObject('token'),
    owner_urn: z.union([urnObject('human'), urnObject('agent')]),
    scopes: z.array(tokenScope),
    created_at: timestampText,
    expires_at: timestampText.nullable(),
    last_used_at: timestampText.nullable().openapi({ description: 'To the hour.' }),
    spend_limit: spendLimit.nullable(),
    spent_today: amountText.openapi({ description: 'What it has committed to payments since midnight (UTC).' }),
    is_current: z.boolean().openapi({ description: 'Whether it is the one this call was made with.' }),
  })
  .openapi('Token')

/** A call may always rotate or revoke its own token; other tokens need the scope `manage`. */
const itself = { scope: 'none', as: 'any' } as const
const params = z.object({ urn: urnParam('token') })
const rotated = {
  201: {
    description:
      'The token that replaces it: as good as the old one, which is good no more. Its secret is shown this once.',
    schema: secretToken,
    isSecret: true,
  },
} as const

export const mintToken = defineRoute({
  operationId: 'mintToken',
  method: 'post',
  path: '/v1/me/tokens',
  group: { name: 'tokens', about: 'Secrets that programs call with.' },
  summary: 'Mint a token for an agent of yours, or another for yourself',
  access: { scope: 'manage', as: 'human' },
  body: z.object({
    owner_urn: accountSchema,
    scopes: z
      .array(tokenScope)
      .min(1)
      .refine((scopes) => new Set(scopes).size === scopes.length, 'must name each scope once'),
    expires_at: timestampSchema.optional(),
    spend_limit: spendLimitSchema.optional(),
  }),
  answers: {
    201: {
      description: 'The token. Its secret is shown this once and not kept.',
      isSecret: true,
      schema: secretToken,
    },
  },
  problems: [groundProblems.forbidden, groundProblems.deactivated, groundProblems.reAuthRequired],
})

export const listTokens = defineRoute({
  operationId: 'listTokens',
  method: 'get',
  path: '/v1/me/tokens',
  summary: 'List the live tokens of your account, and as a human those of your agents, newest first',
  access: { scope: 'read', as: 'any' },
  query: z.object(pageQuery()),
  answers: {
    200: {
      description: 'A page of tokens.',
      schema: z.object({ tokens: z.array(token), next_cursor: z.string().nullable() }),
    },
  },
})

const spending = z
  .object({
    token_urn: urnObject('token'),
    spend_limit: spendLimit.nullable(),
    spent_today: amountText,
    left_today: amountText.nullable().openapi({ description: 'Null without a limit of a day.' }),
    resets_at: timestampText.openapi({ description: 'When the next day begins (UTC).' }),
  })
  .openapi('Spending')

export const getSpending = defineRoute({
  operationId: 'getSpending',
  method: 'get',
  path: '/v1/me/spending',
  summary: 'Read what the token of this call may commit to payments, and has today',
  access: { scope: 'read', as: 'any' },
  answers: { 200: { description: 'Its spending.', schema: spending } },
})

export const setSpendLimit = defineRoute({
  operationId: 'setSpendLimit',
  method: 'put',
  path: '/v1/me/tokens/{urn}/spend_limit',
  summary: 'Set the spend limit of a token of yours or of an agent of yours; raising it takes a fresh passkey',
  access: { scope: 'manage', as: 'human' },
  params,
  body: spendLimitSchema,
  answers: { 200: { description: 'The spending of the token.', schema: spending } },
  problems: [groundProblems.reAuthRequired],
})

export const rotateOwnToken = defineRoute({
  operationId: 'rotateOwnToken',
  method: 'post',
  path: '/v1/me/tokens/rotate',
  summary: 'Replace the token of this call; send an Idempotency-Key, or a lost answer locks you out',
  access: { ...itself, acceptsRotated: true },
  versions: ['2026-05-05'],
  answers: rotated,
})

export const rotateToken = defineRoute({
  operationId: 'rotateToken',
  method: 'post',
  path: '/v1/me/tokens/{urn}/rotate',
  summary: 'Replace a token; for the token of this call send an Idempotency-Key, or a lost answer locks you out',
  access: { ...itself, acceptsRotated: true },
  versions: ['2026-05-17'],
  params,
  answers: rotated,
  problems: [groundProblems.notFound, groundProblems.reAuthRequired],
})

export const revokeToken = defineRoute({
  operationId: 'revokeToken',
  method: 'post',
  path: '/v1/me/tokens/{urn}/revoke',
  summary: 'Revoke a token, at once and for good',
  access: itself,
  params,
  answers: { 204: { description: 'It is good no more.' } },
  problems: [groundProblems.notFound],
})

export const revokeAllTokens = defineRoute({
  operationId: 'revokeAllTokens',
  method: 'post',
  path: '/v1/me/tokens/revoke_all',
  summary: 'Revoke every token and ticket of your account, this token too, and as a human those of your agents',
  access: { scope: 'manage', as: 'any' },
  answers: {
    200: { description: 'They are good no more.', schema: z.object({ revoked: z.int() }) },
  },
})
