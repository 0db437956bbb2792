import { z } from '@hono/zod-openapi'
import { spendLimit } from '../../identity/tokens/spendLimitSchemas.ts'
import { defineRoute } from '../../platform/http/route/route.ts'
import {
  amountText,
  asName,
  text,
  timestampText,
  tokenScope,
  urnObject,
  urnParam,
} from '../../platform/http/route/schemas.ts'
import { disputeState } from '../disputes/record/schemas.ts'
import { escrowMode, orderState } from '../orders/record/schemas.ts'

const MAX_DAYS = 90
const QUERY_CHARACTERS = 254

const account = z.union([urnObject('human'), urnObject('agent')])
const payoutState = z.enum(['pending', 'blocked', 'submitted', 'confirmed', 'failed'])

const sums = z.object({
  paid_orders: z.int(),
  paid: amountText.openapi({ description: 'What buyers paid for these orders.' }),
  ended_orders: z.int().openapi({ description: 'Orders whose money was distributed.' }),
  refunded: amountText,
  to_sellers: amountText,
  fees: amountText,
})

export const readTotals = defineRoute({
  operationId: 'readOperatorTotals',
  method: 'get',
  path: '/v1/operator/totals',
  summary: 'Operators: what the last days came to, and what is open now',
  access: { scope: 'read', as: 'operator' },
  query: z.object({
    days: z
      .string()
      .regex(/^[1-9][0-9]?$/, `must be a whole number from 1 to ${MAX_DAYS}`)
      .transform(Number)
      .pipe(z.int().max(MAX_DAYS, `must be a whole number from 1 to ${MAX_DAYS}`))
      .default(30)
      .openapi({ type: 'integer', minimum: 1, maximum: MAX_DAYS, default: 30 }),
  }),
  answers: {
    200: {
      description: 'Days are UTC, and the last one is today. Nothing in it leads to a person.',
      schema: z
        .object({
          days: z.array(sums.extend({ day: z.iso.date() })),
          period: sums.openapi({ description: 'All these days.' }),
          open_orders: z.array(z.object({ state: orderState, orders: z.int(), amount: amountText })).openapi({
            description: 'Orders that have not ended, with their prices: once paid, what is held for them.',
          }),
          disputes: z.array(z.object({ state: disputeState, disputes: z.int() })).openapi({
            description: 'Open disputes by state, and those that were closed in these days.',
          }),
          time_to_final: z
            .object({ orders: z.int(), median_seconds: z.int(), p90_seconds: z.int() })
            .nullable()
            .openapi({
              description:
                'From payment to the distribution of the money, of at most the last 1,000 orders in these days. Null without one.',
            }),
        })
        .openapi('OperatorTotals'),
    },
  },
})

const urnOfFound = z.union([
  ...([urnObject('human'), urnObject('agent'), urnObject('org'), urnObject('order'), urnObject('dispute')] as const),
  ...([urnObject('payout'), urnObject('ask'), urnObject('bid'), urnObject('webhook')] as const),
  ...([urnObject('token'), urnObject('session')] as const),
])

// A stolen token of an operator must not tell who is who: these take the operator, and a passkey.
const inPerson = { scope: 'manage', as: 'operator', reAuth: true } as const

export const searchEverything = defineRoute({
  operationId: 'searchEverything',
  method: 'post',
  path: '/v1/operator/search',
  summary: 'Operators: find people, agents, orgs, orders, disputes, payouts and what else has a URN',
  access: inPerson,
  isCountedAsRead: true,
  body: z.object({
    q: asName(text(QUERY_CHARACTERS)).openapi({
      description:
        'A URN, an id, an address or 32 bytes of the chain in hex (a transaction, a hold, a nonce), a whole e-mail address, or the beginning of a name. The search is in your audit log; a person who was found by their address has it in theirs.',
    }),
  }),
  answers: {
    200: {
      description: 'At most ten of each kind.',
      schema: z
        .object({
          by: z
            .enum(['urn', 'id', 'hash', 'address', 'email', 'name'])
            .openapi({ description: 'What `q` was read as.' }),
          found: z.array(
            z.object({
              urn: urnOfFound,
              title: z.string(),
              state: z.string().nullable(),
              amount: amountText.nullable(),
              created_at: timestampText,
              people: z
                .array(z.object({ urn: urnObject('human'), display_name: z.string() }))
                .openapi({ description: 'Who is behind it: owners, or both parties.' }),
            }),
          ),
        })
        .openapi('Found'),
    },
  },
})

const limit = z.object({ used: z.int(), most: z.int() })

export const readPerson = defineRoute({
  operationId: 'readPerson',
  method: 'post',
  path: '/v1/operator/humans/{urn}/record',
  summary: 'Operators: read what a person has here; they see that you did',
  access: inPerson,
  isCountedAsRead: true,
  params: z.object({ urn: urnParam('human') }),
  answers: {
    200: {
      description:
        'The newest 50 of each kind. No e-mail address, no secret, and nothing that anybody wrote to another.',
      schema: z
        .object({
          urn: urnObject('human'),
          display_name: z.string(),
          role: z.enum(['member', 'operator']),
          is_reviewer: z.boolean(),
          has_confirmed_email: z.boolean(),
          passkeys: z.int(),
          flagged_passkeys: z.int().openapi({ description: 'That may have been copied: they let nobody in.' }),
          created_by: urnObject('human').nullable(),
          created_at: timestampText,
          erased_at: timestampText.nullable(),
          limits: z.object({ agents: limit, owned_orgs: limit }),
          agents: z.array(
            z.object({
              urn: urnObject('agent'),
              display_name: z.string(),
              created_at: timestampText,
              deactivated_at: timestampText.nullable(),
            }),
          ),
          orgs: z.array(
            z.object({
              urn: urnObject('org'),
              slug: z.string(),
              display_name: z.string(),
              role: z.enum(['owner', 'admin', 'member']),
              joined_at: timestampText,
            }),
          ),
          wallets: z.array(
            z.object({
              urn: urnObject('wallet'),
              account_urn: account,
              address: z.string(),
              verified_at: timestampText,
              is_for_payouts: z.boolean(),
              is_doubtful: z.boolean().openapi({ description: 'Not paid to until its owner signs again.' }),
            }),
          ),
          orders: z.array(
            z.object({
              urn: urnObject('order'),
              side: z.enum(['buyer', 'seller']),
              buyer: z.string(),
              seller: z.string(),
              state: orderState,
              price: amountText,
              escrow_mode: escrowMode,
              placed_at: timestampText,
            }),
          ),
          disputes: z.array(
            z.object({
              urn: urnObject('dispute'),
              order_urn: urnObject('order'),
              state: disputeState,
              outcome: z.string().nullable(),
              opened_at: timestampText,
            }),
          ),
          payouts: z.array(
            z.object({
              urn: urnObject('payout'),
              order_urn: urnObject('order').nullable(),
              state: payoutState,
              amount: amountText,
              reason: z.string().nullable(),
              created_at: timestampText,
            }),
          ),
          tokens: z.array(
            z.object({
              urn: urnObject('token'),
              owner_urn: account,
              scopes: z.array(tokenScope),
              created_at: timestampText,
              expires_at: timestampText.nullable(),
              last_used_at: timestampText.nullable(),
              spend_limit: spendLimit.nullable(),
              spent_today: amountText,
            }),
          ),
          sessions: z.array(
            z.object({
              urn: urnObject('session'),
              created_at: timestampText,
              seen_at: timestampText,
              expires_at: timestampText,
            }),
          ),
        })
        .openapi('PersonRecord'),
    },
  },
})
