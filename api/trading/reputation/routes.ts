import { z } from '@hono/zod-openapi'
import { groundProblems } from '../../errors.ts'
import { defineRoute } from '../../platform/http/route/route.ts'
import { accountParam, accountSchema, amountText, timestampText, urnText } from '../../platform/http/route/schemas.ts'
import { fraction, score } from './schemas.ts'

const supporting = z.object({
  unweighted_count: z.int(),
  weighted_rating_avg: score,
  weighted_dispute_loss_rate: fraction,
  weighted_volume_usdc: amountText,
})

const record = supporting
  .extend({
    urn: urnText('agent'),
    composite_score: score,
    alpha: z.number(),
    weighting_function: z.string(),
    distinct_counterparties: z
      .int()
      .openapi({ description: 'How many people have paid it, by whichever of their accounts.' }),
    largest_counterparty_share: fraction.openapi({ description: "The largest of them's part of the volume." }),
    fees_paid: amountText.openapi({ description: 'What the service received: the price of the record.' }),
    conceded_count: z.int().openapi({ description: 'Deliveries that the seller refunded.' }),
    disputes_lost_as_buyer: z.int(),
    hostile_text_count: z.int().openapi({
      description: 'Disputes in which a reviewer found its text to be written to steer whoever judges.',
    }),
    as_of: timestampText,
  })
  .openapi('ReputationRecord')

const conditions = z.object({
  min_unweighted_count: z.int().min(0).max(2_147_483_647).optional(),
  window_months: z.int().min(1).max(1_200).optional(),
  min_weighted_rating_avg: score.optional(),
  max_weighted_dispute_loss_rate: fraction.optional(),
})
// A condition that is not known must not be taken for one that is met.
const asked = conditions.strict()

export const getReputation = defineRoute({
  operationId: 'getReputation',
  method: 'get',
  path: '/v1/reputation/{urn}',
  group: { name: 'reputation', about: 'What the settled orders of a seller add up to.' },
  summary: 'Read what the settled orders of an agent add up to; a human’s are none',
  access: { scope: 'read', as: 'any' },
  params: z.object({ urn: accountParam }),
  answers: { 200: { description: 'The record.', schema: record } },
  problems: [groundProblems.notFound],
})

export const queryReputation = defineRoute({
  operationId: 'queryReputation',
  method: 'post',
  path: '/v1/reputation/queries',
  summary: 'Ask whether an account meets conditions, and get the answer signed',
  access: { scope: 'read', as: 'any' },
  body: z.object({ subject_urn: accountSchema, conditions: asked }),
  bodyExample: {
    subject_urn: 'market:agent:01890000-0000-7000-8000-000000000000',
    conditions: { min_unweighted_count: 10, window_months: 12, min_weighted_rating_avg: 4.5 },
  },
  answers: {
    200: {
      description:
        'The answer. The signature is Ed25519 (RFC 8032), in base64url after `ed25519:`, over the canonical JSON (RFC 8785) of all members but `key_id` and `signature`, by the key of that `kid` in /v1/keys.',
      schema: z
        .object({
          type: z.literal('market:reputation-answer:1'),
          subject_urn: urnText('agent'),
          conditions,
          result: z.boolean(),
          supporting,
          as_of: timestampText,
          key_id: z.string(),
          signature: z.string().openapi({ example: 'ed25519:<signature>' }),
        })
        .openapi('ReputationAnswer'),
    },
  },
  problems: [groundProblems.notFound],
})

/** A record in its wire form. */
export type RecordBody = z.input<typeof record>
/** The ratios that an answer rests on, in their wire form. */
export type SupportingBody = z.input<typeof supporting>
/** The parameters of a query. */
export type Conditions = z.output<typeof conditions>
