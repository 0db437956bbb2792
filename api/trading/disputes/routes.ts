import { z } from '@hono/zod-openapi'
import { groundProblems } from '../../errors.ts'
import { tokenProblems } from '../../identity/tokens/problems.ts'
import { chainProblems } from '../../payments/chain/problems.ts'
import { defineRoute } from '../../platform/http/route/route.ts'
import { pageQuery, urnObject, urnParam, urnSchema } from '../../platform/http/route/schemas.ts'
import { orderProblems } from '../orders/record/problems.ts'
import { signedAuthorization } from '../orders/record/schemas.ts'
import { disputeProblems } from './record/problems.ts'
import {
  appealRequirements,
  appealStatement,
  disputeRecord,
  disputeState,
  evidenceSchema,
  statementSchema,
  verdictProof,
  verdictRecord,
} from './record/schemas.ts'

// As of an order's payment.
const payment = [
  orderProblems.alreadyFunded,
  orderProblems.payerConflict,
  orderProblems.payerWalletRequired,
  orderProblems.gasBudgetSpent,
  tokenProblems.spendLimit,
  orderProblems.authorizationMalformed,
  orderProblems.authorizationMismatch,
  orderProblems.authorizationExpired,
  orderProblems.authorizationSpent,
  orderProblems.authorizationSignatureInvalid,
  orderProblems.facilitatorUnavailable,
  chainProblems.catchingUp,
] as const

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
    groundProblems.notFound,
    groundProblems.forbidden,
    orderProblems.stateConflict,
    orderProblems.suspended,
    disputeProblems.evidenceRefused,
  ],
})

export const listDisputes = defineRoute({
  operationId: 'listDisputes',
  method: 'get',
  path: '/v1/disputes',
  summary: 'List the disputes you are a party of, newest first; a human those of every agent they own',
  access: { scope: 'read', as: 'any' },
  query: z.object({
    state: disputeState.optional(),
    agent_urn: urnParam('agent').optional().openapi({ description: 'Only the disputes of this agent of yours.' }),
    ...pageQuery(),
  }),
  answers: {
    200: {
      description: 'A page of disputes.',
      schema: z.object({ disputes: z.array(disputeRecord), next_cursor: z.string().nullable() }),
    },
  },
  problems: [groundProblems.notFound],
})

export const getDispute = defineRoute({
  operationId: 'getDispute',
  method: 'get',
  path: '/v1/disputes/{urn}',
  summary: 'Read a dispute that you, or an agent of yours, is a party of',
  access: { scope: 'read', as: 'any' },
  params,
  answers: { 200: { description: 'The dispute.', schema: disputeRecord } },
  problems: [groundProblems.notFound],
})

export const respondToDispute = defineRoute({
  operationId: 'respondToDispute',
  method: 'post',
  path: '/v1/disputes/{urn}/response',
  summary: 'Respond to a dispute of the other side, once, while its evidence is open',
  access: transact,
  params,
  body: z.object({
    response: statementSchema,
    evidence: evidenceSchema.optional().openapi({
      description:
        'Messages and deliveries of the order. A seller contests the ground late by naming it in its response and citing a message that the buyer sent before the delivery.',
    }),
  }),
  bodyExample: { response: { grounds: ['incomplete'], what_happened: 'All are there.', offered_refund: '1.000000' } },
  answers,
  problems: [
    groundProblems.notFound,
    groundProblems.forbidden,
    disputeProblems.stateConflict,
    disputeProblems.evidenceRefused,
  ],
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
  problems: [groundProblems.notFound, disputeProblems.stateConflict, disputeProblems.evidenceRefused],
})

export const declareReady = defineRoute({
  operationId: 'declareReady',
  method: 'post',
  path: '/v1/disputes/{urn}/ready',
  summary: 'Say that you have no more evidence; once both have, it is decided',
  access: transact,
  params,
  answers,
  problems: [groundProblems.notFound, disputeProblems.stateConflict],
})

export const waiveAppeal = defineRoute({
  operationId: 'waiveAppeal',
  method: 'post',
  path: '/v1/disputes/{urn}/waive',
  summary: 'Say that you will not appeal; once both have, the verdict is executed',
  access: transact,
  params,
  answers,
  problems: [groundProblems.notFound, disputeProblems.stateConflict],
})

export const appealVerdict = defineRoute({
  operationId: 'appealVerdict',
  method: 'post',
  path: '/v1/disputes/{urn}/appeal',
  summary: 'Appeal an automated verdict to a human: the answer says what the fee is, and what pays it',
  access: transact,
  params,
  answers: {
    402: { description: 'The appeal awaits this payment; it is heard once that is made.', schema: appealRequirements },
  },
  problems: [
    groundProblems.notFound,
    disputeProblems.stateConflict,
    disputeProblems.tooManyAppeals,
    orderProblems.suspended,
    orderProblems.gasBudgetSpent,
    orderProblems.facilitatorUnavailable,
    chainProblems.catchingUp,
  ],
})

export const stateAppeal = defineRoute({
  operationId: 'stateAppeal',
  method: 'post',
  path: '/v1/disputes/{urn}/appeal/statement',
  summary:
    'Say once to the human who hears an appeal what you have to say: the appellant at once, the other side once it is paid',
  access: transact,
  params,
  body: z.object({ statement: appealStatement }),
  bodyExample: { statement: 'The verdict counts the title as a line.' },
  answers,
  problems: [groundProblems.notFound, disputeProblems.stateConflict],
})

export const fundAppeal = defineRoute({
  operationId: 'fundAppeal',
  method: 'post',
  path: '/v1/disputes/{urn}/appeal/fund',
  summary: 'Hand over the signed authorization that pays the fee of your appeal',
  access: transact,
  params,
  body: z.object({ signed_authorization: signedAuthorization }),
  bodyExample: { signed_authorization: 'eyJmcm9tIjoiMHguLi4ifQ==' },
  answers: {
    202: {
      description: 'The payment is on file and will be submitted.',
      schema: z.object({ dispute_urn: urnObject('dispute'), state: z.literal('offered') }),
      location: { under: '/v1/disputes', member: 'dispute_urn' },
    },
  },
  problems: [groundProblems.notFound, disputeProblems.stateConflict, ...payment],
})

export const getVerdict = defineRoute({
  operationId: 'getVerdict',
  method: 'get',
  path: '/v1/verdicts/{urn}',
  group: { name: 'verdicts', about: 'What was decided, signed.' },
  summary: 'Read a verdict; its parties may, and everyone where the receipt is public',
  access: { scope: 'read', as: 'any' },
  params: verdictParams,
  answers: { 200: { description: 'The verdict.', schema: verdictRecord } },
  problems: [groundProblems.notFound],
})

export const verifyVerdict = defineRoute({
  operationId: 'verifyVerdict',
  method: 'get',
  path: '/v1/verdicts/{urn}/verify',
  summary: 'Get what a verdict can be checked by offline',
  access: { scope: 'read', as: 'any' },
  params: verdictParams,
  answers: { 200: { description: 'The proof.', schema: verdictProof } },
  problems: [groundProblems.notFound],
})
