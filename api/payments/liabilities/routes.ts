import { z } from '@hono/zod-openapi'
import { liabilityInclusion, signedLiabilities } from '../../../protocol/liabilities/liabilities.ts'
import { groundProblems } from '../../errors.ts'
import { defineRoute } from '../../platform/http/route/route.ts'
import { amountText, pageQuery } from '../../platform/http/route/schemas.ts'

const MAX_LIMIT = 100
const BLOCK = /^(0|[1-9][0-9]{0,14})$/

const block = z.string().regex(BLOCK, 'must be the number of a block').transform(BigInt)
const blockNumber = { type: 'integer', minimum: 0 } as const
const signed = z.object(signedLiabilities.shape).openapi('Liabilities')

export const getLiabilities = defineRoute({
  operationId: 'getLiabilities',
  method: 'get',
  path: '/v1/liabilities',
  summary: 'Read what custody owes in all, newest: the signed root of the tree of every balance, at a block',
  access: 'public',
  answers: {
    200: {
      description: 'What was signed.',
      schema: signed,
      headers: { 'Cache-Control': 'It may be kept for ten seconds.' },
    },
  },
  problems: [groundProblems.notFound],
})

export const getLiabilitiesAt = defineRoute({
  operationId: 'getLiabilitiesAt',
  method: 'get',
  path: '/v1/liabilities/{block}',
  summary: 'Read what custody owed in all at a block of which something was published',
  access: 'public',
  params: z.object({ block: block.openapi({ ...blockNumber, description: 'Number of the block.', example: 1_234 }) }),
  answers: {
    200: {
      description: 'What was signed. It never changes.',
      schema: signed,
      headers: { 'Cache-Control': 'It may be kept for an hour.' },
    },
  },
  problems: [groundProblems.notFound],
})

export const listInclusions = defineRoute({
  operationId: 'listInclusions',
  method: 'get',
  path: '/v1/me/liabilities',
  summary:
    "Read what custody owed you at a block, each balance with its path to the signed root; as a human, your agents' too",
  access: { scope: 'read', as: 'any' },
  query: z.object({
    ...pageQuery(MAX_LIMIT),
    block: block
      .optional()
      .openapi({ ...blockNumber, description: 'Of which there is a tree; the newest by default.' }),
  }),
  answers: {
    200: {
      description:
        "A page of balances: of the account itself, of orders it is a party to, and of payouts that are its or its orders'.",
      schema: z
        .object({
          liabilities: signed,
          balances: z.array(liabilityInclusion.extend({ amount: amountText })),
          next_cursor: z.string().nullable(),
        })
        .openapi('Inclusions'),
    },
  },
  problems: [groundProblems.notFound],
})
