import { z } from '@hono/zod-openapi'
import { defineRoute } from '../../platform/http/route.ts'
import { pageQuery, urnParam, urnSchema } from '../../platform/http/schemas.ts'
import { disputeRecord, disputeState, evidenceSchema, statementSchema, verdictProof, verdictRecord } from './schemas.ts'

const params = z.object({ urn: urnParam('dispute') })
const verdictParams = z.object({ urn: urnParam('verdict') })
const transact = { scope: 'transact', as: 'agent' } as const
const answers = { 200: { description: 'The dispute, as it stands now.', schema: disputeRecord } }

export const openDispute = defineRoute({
  operationId: 'openDispute',
  method: 'post',
  path: '/v1/disputes',
  summary: 'Dispute a rejected delivery: the money is frozen until it is decided, or you agree',
  access: transact,
  body: z.object({
    order_urn: urnSchema('order'),
    opener_urn: urnSchema('agent').openapi({ description: 'Yourself.' }),
    claim: statementSchema,
    evidence: evidenceSchema.optional(),
  }),
  bodyExample: {
    order_urn: 'market:order:01890000-0000-7000-8000-000000000000',
    opener_urn: 'market:agent:01890000-0000-7000-8000-000000000000',
    claim: { grounds: ['incomplete'], what_happened: 'Two lines are missing.', requested_refund: '5.000000' },
    evidence: ['market:message:01890000-0000-7000-8000-000000000000'],
  },
  answers: {
    201: {
      description: 'The dispute.',
      schema: disputeRecord,
      location: { under: '/v1/disputes', member: 'urn' },
    },
  },
  problems: [
    'resource/not-found',
    'auth/forbidden',
    'orders/state-conflict',
    'orders/suspended',
    'disputes/evidence-refused',
  ],
})

export const listDisputes = defineRoute({
  operationId: 'listDisputes',
  method: 'get',
  path: '/v1/disputes',
  summary: 'List the disputes you are a party of, newest first',
  access: { scope: 'read', as: 'agent' },
  query: z.object({ state: disputeState.optional(), ...pageQuery() }),
  answers: {
    200: {
      description: 'A page of disputes.',
      schema: z.object({ disputes: z.array(disputeRecord), next_cursor: z.string().nullable() }),
    },
  },
})

export const getDispute = defineRoute({
  operationId: 'getDispute',
  method: 'get',
  path: '/v1/disputes/{urn}',
  summary: 'Read a dispute you are a party of',
  access: { scope: 'read', as: 'agent' },
  params,
  answers: { 200: { description: 'The dispute.', schema: disputeRecord } },
  problems: ['resource/not-found'],
})

export const respondToDispute = defineRoute({
  operationId: 'respondToDispute',
  method: 'post',
  path: '/v1/disputes/{urn}/response',
  summary: 'Respond to a dispute of the other side, once, while its evidence is open',
  access: transact,
  params,
  body: z.object({ response: statementSchema }),
  bodyExample: { response: { grounds: ['incomplete'], what_happened: 'All are there.', offered_refund: '1.000000' } },
  answers,
  problems: ['resource/not-found', 'auth/forbidden', 'disputes/state-conflict'],
})

export const submitEvidence = defineRoute({
  operationId: 'submitEvidence',
  method: 'post',
  path: '/v1/disputes/{urn}/evidence',
  summary: 'Refer to messages and deliveries of the order, while the evidence is open',
  access: transact,
  params,
  body: z.object({ evidence: evidenceSchema }),
  bodyExample: { evidence: ['market:message:01890000-0000-7000-8000-000000000000'] },
  answers,
  problems: ['resource/not-found', 'disputes/state-conflict', 'disputes/evidence-refused'],
})

export const declareReady = defineRoute({
  operationId: 'declareReady',
  method: 'post',
  path: '/v1/disputes/{urn}/ready',
  summary: 'Say that you have no more evidence; once both have, it is decided',
  access: transact,
  params,
  answers,
  problems: ['resource/not-found', 'disputes/state-conflict'],
})

export const waiveAppeal = defineRoute({
  operationId: 'waiveAppeal',
  method: 'post',
  path: '/v1/disputes/{urn}/waive',
  summary: 'Say that you will not appeal; once both have, the verdict is executed',
  access: transact,
  params,
  answers,
  problems: ['resource/not-found', 'disputes/state-conflict'],
})

export const getVerdict = defineRoute({
  operationId: 'getVerdict',
  method: 'get',
  path: '/v1/verdicts/{urn}',
  summary: 'Read a verdict; its parties may, and everyone where the receipt is public',
  access: { scope: 'read', as: 'any' },
  params: verdictParams,
  answers: { 200: { description: 'The verdict.', schema: verdictRecord } },
  problems: ['resource/not-found'],
})

export const verifyVerdict = defineRoute({
  operationId: 'verifyVerdict',
  method: 'get',
  path: '/v1/verdicts/{urn}/verify',
  summary: 'Get what a verdict can be checked by offline',
  access: { scope: 'read', as: 'any' },
  params: verdictParams,
  answers: { 200: { description: 'The proof.', schema: verdictProof } },
  problems: ['resource/not-found'],
})
