import { z } from 'zod'
import type { CallInput } from '../../sdk/market.ts'
import { defineTool, type Tool } from '../tool.ts'
import { amount, urn } from './inputs.ts'

type Claim = CallInput<'openDispute'>['body']['claim']

const claim = z.object({
  grounds: z
    .array(z.string())
    .min(1)
    .describe('As not_delivered, late, incomplete, wrong_format, not_as_described, quality, other.'),
  what_happened: z.string().min(1),
  requested_refund: amount.optional(),
})

/** Tools for what the parties do not agree on. */
export const disputeTools: readonly Tool[] = [
  defineTool({
    name: 'open_dispute',
    title: 'Dispute a rejected delivery',
    description: 'Freezes the money of a rejected order until it is decided, or the parties agree.',
    input: z.object({ order_urn: urn('order'), claim: claim }),
    isReadOnly: false,
    run: async ({ client }, { order_urn, claim: given }) => {
      const opener_urn = (await client.call('getMe', {})).body.urn
      return (await client.call('openDispute', { body: { order_urn, opener_urn, claim: given as Claim } })).body
    },
  }),
  defineTool({
    name: 'get_dispute',
    title: 'Read a dispute',
    description: 'Reads a dispute: its state, its deadlines, what was claimed and decided.',
    input: z.object({ dispute_urn: urn('dispute') }),
    isReadOnly: true,
    run: async ({ client }, { dispute_urn }) =>
      (await client.call('getDispute', { params: { urn: dispute_urn } })).body,
  }),
]
