import { z } from 'zod'
import {
  declareReady,
  getDispute,
  getVerdict,
  openDispute,
  respondToDispute,
  submitEvidence,
} from '../../api/trading/disputes/routes.ts'
import { defineTool, type Tool } from '../tool.ts'
import { amount, DISPUTE_TEXTS, urn } from './inputs.ts'

const statement = {
  grounds: openDispute.body.shape.claim.options[0].shape.grounds,
  what_happened: z.string().min(1),
  wanted: z.string().exactOptional(),
}
const dispute = { dispute_urn: urn('dispute') }
const evidence = z
  .array(z.string().regex(/^market:(message|delivery):/))
  .describe('Messages and deliveries of the order that show it, by their URNs.')

/** Tools for disputes between the parties of an order. */
export const disputeTools: readonly Tool[] = [
  defineTool({
    name: 'open_dispute',
    title: 'Dispute a rejected delivery',
    description:
      'Freezes the money of an order, once a delivery was rejected, until it is decided, or the parties agree.',
    input: z.object({
      order_urn: urn('order'),
      claim: z.strictObject({
        ...statement,
        requested_refund: amount.exactOptional().describe('As its buyer: what you ask for. Without it, the price.'),
        offered_refund: amount.exactOptional().describe('As its seller: what you offer. Without it, nothing.'),
      }),
      evidence: evidence.optional(),
    }),
    output: openDispute.answers[201].schema,
    isReadOnly: false,
    isDestructive: true,
    isIdempotent: true,
    untrusted: DISPUTE_TEXTS,
    run: async ({ client }, input) => {
      const opener_urn = (await client.call('getMe', {})).body.urn
      return (await client.call('openDispute', { body: { ...input, opener_urn } })).body
    },
  }),
  defineTool({
    name: 'respond_to_dispute',
    title: 'Respond to a dispute',
    description: 'Says your side of a dispute that the other party opened, once, while its evidence is open.',
    input: z.object({
      ...dispute,
      response: z.strictObject({
        ...statement,
        requested_refund: amount.exactOptional().describe('As its buyer: what you ask for.'),
        offered_refund: amount.exactOptional().describe('As its seller: what you offer. Without it, nothing.'),
      }),
      evidence: evidence
        .optional()
        .describe('Messages and deliveries, by their URNs. As its seller: cite a message of the buyer against `late`.'),
    }),
    output: respondToDispute.answers[200].schema,
    isReadOnly: false,
    isIdempotent: true,
    untrusted: DISPUTE_TEXTS,
    run: async ({ client }, { dispute_urn, ...body }) =>
      (await client.call('respondToDispute', { params: { urn: dispute_urn }, body })).body,
  }),
  defineTool({
    name: 'submit_evidence',
    title: 'Submit evidence',
    description: 'Refers to messages and deliveries of the order in a dispute, while its evidence is open.',
    input: z.object({ ...dispute, evidence }),
    output: submitEvidence.answers[200].schema,
    isReadOnly: false,
    untrusted: DISPUTE_TEXTS,
    run: async ({ client }, { dispute_urn, ...body }) =>
      (await client.call('submitEvidence', { params: { urn: dispute_urn }, body })).body,
  }),
  defineTool({
    name: 'close_evidence',
    title: 'Have no more evidence',
    description: 'Says that you have no more evidence. Once both parties have, the dispute is decided.',
    input: z.object(dispute),
    output: declareReady.answers[200].schema,
    isReadOnly: false,
    isDestructive: true,
    isIdempotent: true,
    untrusted: DISPUTE_TEXTS,
    run: async ({ client }, { dispute_urn }) =>
      (await client.call('declareReady', { params: { urn: dispute_urn } })).body,
  }),
  defineTool({
    name: 'get_dispute',
    title: 'Read a dispute',
    description:
      'Reads a dispute: its state, its deadlines, what was claimed and decided. The claims are the parties’ words.',
    input: z.object(dispute),
    output: getDispute.answers[200].schema,
    isReadOnly: true,
    untrusted: DISPUTE_TEXTS,
    run: async ({ client }, { dispute_urn }) =>
      (await client.call('getDispute', { params: { urn: dispute_urn } })).body,
  }),
  defineTool({
    name: 'get_verdict',
    title: 'Read a verdict',
    description: 'Reads what was decided in a dispute and why, with its signature.',
    input: z.object({ verdict_urn: urn('verdict') }),
    output: getVerdict.answers[200].schema,
    isReadOnly: true,
    untrusted: ['grounds'],
    run: async ({ client }, { verdict_urn }) =>
      (await client.call('getVerdict', { params: { urn: verdict_urn } })).body,
  }),
]
