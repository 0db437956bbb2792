import { z } from '@hono/zod-openapi'
import { defineRoute } from '../../platform/http/route/route.ts'
import { addressText, pageQuery, timestampText } from '../../platform/http/route/schemas.ts'

const signedAmount = z.string().openapi({ pattern: '^-?(0|[1-9][0-9]*)\\.[0-9]{6}$', example: '20.000000' })
const compared = z.object({ booked: signedAmount, on_chain: signedAmount })

const reconciliation = z
  .object({
    checked_at: timestampText,
    age_seconds: z.int().openapi({ description: 'How long ago that was. It is done with every block.' }),
    block_number: z.int(),
    block_hash: z.string(),
    lag: z.object({ blocks: z.int(), seconds: z.int() }).openapi({
      description: 'How far the block was behind the newest confirmed one, in blocks and by their times.',
    }),
    is_ok: z.boolean().openapi({ description: 'Everything that was compared is equal, one by one.' }),
    token: addressText,
    escrow: z.object({ address: addressText, balance: compared, owed: compared }),
    hot_wallet: z.object({ address: addressText, balance: compared }),
    findings: z.array(z.object({ code: z.string(), count: z.int() })).openapi({
      description: 'What is not as it must be, and how often. What comes in unasked is among it for a moment.',
    }),
    stopped: z.object({ hot_wallet: z.boolean(), escrow: z.boolean() }).openapi({
      description: 'Where nothing is paid out until an operator has looked at it.',
    }),
  })
  .openapi('Reconciliation')

const look = reconciliation
  .pick({ checked_at: true, block_number: true, block_hash: true, lag: true, is_ok: true })
  .extend({
    escrow: z.object({ balance: compared, owed: compared }),
    hot_wallet: z.object({ balance: compared }),
    findings: z.int().openapi({ description: 'How much was not as it must be.' }),
  })
  .openapi('PastReconciliation')

export const listReconciliations = defineRoute({
  operationId: 'listReconciliations',
  method: 'get',
  path: '/v1/public/reconciliation/history',
  summary: 'List the comparisons of the ledger with the chain that are kept, the last first',
  access: 'public',
  query: z.object(pageQuery(500, 100)),
  answers: {
    200: {
      description: 'A page of comparisons: the last hours.',
      schema: z.object({ reconciliations: z.array(look), next_cursor: z.string().nullable() }),
    },
  },
})

export const getReconciliation = defineRoute({
  operationId: 'getReconciliation',
  method: 'get',
  path: '/v1/public/reconciliation',
  group: { name: 'public', about: 'What anybody may see.' },
  summary: 'Read whether the ledger is what the chain says, and as of which block',
  access: 'public',
  answers: {
    200: {
      description: 'The last comparison; null where there was none yet.',
      schema: z.object({ reconciliation: reconciliation.nullable() }),
    },
  },
})
