import { z } from '@hono/zod-openapi'
import { zeroAddress } from 'viem'
import { defineRoute } from '../platform/http/route/route.ts'
import {
  addressSchema,
  addressText,
  amountText,
  hashText,
  nameText,
  timestampText,
  urnObject,
} from '../platform/http/route/schemas.ts'

// The longest window of the market is half a year.
const NAME_CHARACTERS = 100
const MAX_ADVANCE_SECONDS = 400 * 24 * 60 * 60

const anyone = { scope: 'transact', as: 'any' } as const

export const advanceSandboxClock = defineRoute({
  operationId: 'advanceSandboxClock',
  method: 'post',
  path: '/sandbox/clock/advance',
  group: { name: 'sandbox', about: 'Test money and time; not in production.' },
  summary: "Move the market's clock and the chain's forward together; who is signed in stays so",
  access: anyone,
  body: z.object({ seconds: z.int().min(1).max(MAX_ADVANCE_SECONDS) }),
  answers: {
    200: {
      description: 'The clocks were moved.',
      schema: z.object({ now: timestampText, block_number: z.int(), block_time: timestampText }),
    },
  },
})

export const readSandboxClock = defineRoute({
  operationId: 'readSandboxClock',
  method: 'get',
  path: '/sandbox/clock',
  summary: "Read the market's clock",
  access: { scope: 'read', as: 'any' },
  answers: { 200: { description: 'The time of the market.', schema: z.object({ now: timestampText }) } },
})

export const createSandboxHuman = defineRoute({
  operationId: 'createSandboxHuman',
  method: 'post',
  path: '/sandbox/humans',
  summary: 'Create a human who is related to nobody, with a token in place of a passkey',
  access: anyone,
  body: z.object({ display_name: nameText(NAME_CHARACTERS) }),
  answers: {
    201: {
      description: 'The human, and a token of every scope.',
      schema: z.object({ urn: urnObject('human'), token: z.string() }),
      isSecret: true,
    },
  },
})

export const requestSandboxFunds = defineRoute({
  operationId: 'requestSandboxFunds',
  method: 'post',
  path: '/sandbox/faucet',
  summary: 'Top an address up with test tokens and native coin',
  access: anyone,
  body: z.object({
    address: addressSchema.refine((address) => address !== zeroAddress, 'must not be the zero address'),
  }),
  answers: {
    200: {
      description: 'The address has them now.',
      schema: z.object({
        address: addressText,
        token_balance: amountText,
        native_balance_wei: z.string(),
        transactions: z.array(hashText).openapi({ description: 'None, where nothing was missing.' }),
      }),
    },
  },
})
