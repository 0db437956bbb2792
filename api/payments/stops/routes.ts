import { z } from '@hono/zod-openapi'
import { defineRoute } from '../../platform/http/route/route.ts'
import { pageQuery, text, timestampText, urnObject, urnParam } from '../../platform/http/route/schemas.ts'
import { stopProblems } from './problems.ts'

const REASON_CHARACTERS = 500

const place = z.enum(['hot_wallet', 'escrow']).openapi({
  description: 'What stands still: payouts out of custody, or what the contract is asked to do.',
})

const stop = z
  .object({
    urn: urnObject('stop'),
    place,
    reason: z.string(),
    fact: z
      .string()
      .nullable()
      .openapi({ description: 'What the chain showed and nothing explains, where that is why.' }),
    raised_by: z.string(),
    raised_at: timestampText,
    lifted_by: z.string().nullable(),
    lifted_at: timestampText.nullable(),
    explanation: z
      .string()
      .nullable()
      .openapi({ description: 'How it came about, where nothing on the chain says so.' }),
    explained_by: z.string().nullable(),
    explained_at: timestampText.nullable(),
  })
  .openapi('PayoutStop')

export const stopPayouts = defineRoute({
  operationId: 'stopPayouts',
  method: 'post',
  path: '/v1/payout-stops',
  group: { name: 'payout-stops', about: 'Operators: what keeps payouts from going out.' },
  summary: 'Stop all payouts out of custody, or releases by the contract, at once and until the owner lifts the stop',
  access: { scope: 'manage', as: 'operator', reAuth: true },
  body: z.object({ reason: text(REASON_CHARACTERS), place: place.default('hot_wallet') }),
  answers: { 201: { description: 'Nothing is paid out from now on but what was signed before.', schema: stop } },
})

export const listStops = defineRoute({
  operationId: 'listPayoutStops',
  method: 'get',
  path: '/v1/payout-stops',
  summary: 'List what stops payouts, or did, newest first',
  access: { scope: 'read', as: 'operator' },
  query: z.object(pageQuery()),
  answers: {
    200: {
      description: 'A page of stops.',
      schema: z.object({ stops: z.array(stop), next_cursor: z.string().nullable() }),
    },
  },
})

export const explainStop = defineRoute({
  operationId: 'explainPayoutStop',
  method: 'post',
  path: '/v1/payout-stops/{urn}/explain',
  summary: 'Say why tokens left that nothing on the chain explains, so that they are booked as lost; the stop stands',
  access: { scope: 'manage', as: 'operator', reAuth: true },
  params: z.object({ urn: urnParam('stop') }),
  body: z.object({ explanation: text(REASON_CHARACTERS) }),
  answers: {
    200: {
      description: 'The stop, explained. The loss is booked within a minute, and in the books for good.',
      schema: stop,
    },
  },
  problems: [stopProblems.nothingToExplain],
})
