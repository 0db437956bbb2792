import { z } from '@hono/zod-openapi'
import { groundProblems } from '../../errors.ts'
import { defineRoute } from '../../platform/http/route/route.ts'
import {
  addressText,
  amountText,
  hashText,
  pageQuery,
  timestampText,
  urnObject,
  urnParam,
  urnSchema,
} from '../../platform/http/route/schemas.ts'
import { payoutProblems } from './problems.ts'

const state = z.enum(['pending', 'blocked', 'submitted', 'confirmed', 'failed'])

const payout = z
  .object({
    urn: urnObject('payout'),
    order_urn: urnObject('order').nullable(),
    agent_urn: urnObject('agent').nullable(),
    leg: z.enum(['payee', 'payer']).openapi({ description: "payee: a seller's net. payer: a refund to whoever paid." }),
    state,
    amount: amountText,
    to: addressText.nullable(),
    nonce: hashText.openapi({ description: 'EIP-3009 nonce under which the hot wallet pays it, once.' }),
    tx_hash: hashText.nullable(),
    reason: z.string().nullable().openapi({ description: 'Why the last attempt failed.' }),
    created_at: timestampText,
    parked_at: timestampText.nullable().openapi({
      description: 'When its attempts were last used up. A failed payout that has this can be opened again.',
    }),
    confirmed_at: timestampText.nullable(),
  })
  .openapi('Payout')

export const listPayouts = defineRoute({
  operationId: 'listPayouts',
  method: 'get',
  path: '/v1/payouts',
  group: { name: 'payouts', about: 'Money on its way out of custody.' },
  summary: 'List what is or was paid out of custody to you, newest first; as a human, to all your agents',
  access: { scope: 'read', as: 'any' },
  query: z.object(pageQuery()),
  answers: {
    200: {
      description: 'A page of payouts.',
      schema: z.object({ payouts: z.array(payout), next_cursor: z.string().nullable() }),
    },
  },
})

export const getPayout = defineRoute({
  operationId: 'getPayout',
  method: 'get',
  path: '/v1/payouts/{urn}',
  summary: 'Read one payout to you; as a human, to any of your agents',
  access: { scope: 'read', as: 'any' },
  params: z.object({ urn: urnParam('payout') }),
  answers: { 200: { description: 'The payout.', schema: payout } },
  problems: [groundProblems.notFound],
})

export const reopenPayout = defineRoute({
  operationId: 'reopenPayout',
  method: 'post',
  path: '/v1/payouts/{urn}/reopen',
  summary: 'Have a failed payout tried again, to a wallet that you or an agent of yours is paid to now',
  access: { scope: 'withdraw', as: 'human', reAuth: true },
  params: z.object({ urn: urnParam('payout') }),
  body: z.object({ wallet_urn: urnSchema('wallet') }),
  answers: {
    200: {
      description:
        'It is tried again. A refund goes elsewhere than to its payer only while the token refuses the payer.',
      schema: payout,
    },
  },
  problems: [groundProblems.notFound, payoutProblems.notParked, payoutProblems.walletNotInUse],
})

export const listAllPayouts = defineRoute({
  operationId: 'listAllPayouts',
  method: 'get',
  path: '/v1/operator/payouts',
  summary: "Operators: list everybody's payouts out of custody, newest first",
  access: { scope: 'read', as: 'operator' },
  query: z.object({
    state: state.optional().openapi({ description: 'Only payouts in this state.' }),
    ...pageQuery(),
  }),
  answers: {
    200: {
      description: 'A page of payouts.',
      schema: z.object({
        payouts: z.array(
          payout
            .extend({
              owner_urn: urnObject('human')
                .nullable()
                .openapi({ description: 'Whose money it is; null for what is returned to a payer unmatched.' }),
            })
            .openapi('OwnedPayout'),
        ),
        next_cursor: z.string().nullable(),
      }),
    },
  },
})

/** A payout in wire form. */
export type PayoutBody = z.input<typeof payout>
