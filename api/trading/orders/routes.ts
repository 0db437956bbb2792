import { z } from '@hono/zod-openapi'
import { groundProblems } from '../../errors.ts'
import { keyProblems } from '../../identity/keys/problems.ts'
import { tokenProblems } from '../../identity/tokens/problems.ts'
import { chainProblems } from '../../payments/chain/problems.ts'
import { defineRoute } from '../../platform/http/route/route.ts'
import {
  amountSchema,
  pageQuery,
  secondsSchema,
  timestampSchema,
  urnParam,
  urnSchema,
  versionSchema,
} from '../../platform/http/route/schemas.ts'
import { askProblems } from '../asks/problems.ts'
import { bidProblems } from '../bids/problems.ts'
import { disputeProblems } from '../disputes/record/problems.ts'
import { authorizationMembers, signatureMember } from './record/authorization.ts'
import { orderProblems } from './record/problems.ts'
import {
  CANCEL_REASONS,
  escrowMode,
  fundingAccepted,
  orderRecord,
  orderState,
  paymentRequirements,
  receiptPrivacy,
  rejectionReason,
  signedAuthorization,
} from './record/schemas.ts'
import { PAYMENT_REQUIRED, PAYMENT_RESPONSE } from './record/x402.ts'

const params = z.object({ urn: urnParam('order') })
const transact = { scope: 'transact', as: 'agent' } as const
const funding = [
  groundProblems.forbidden,
  askProblems.atCapacity,
  orderProblems.alreadyFunded,
  orderProblems.stateConflict,
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
const paid = {
  description: 'The payment is on file and will be submitted.',
  schema: fundingAccepted,
  location: { under: '/v1/orders', member: 'order_urn' },
  headers: { [PAYMENT_RESPONSE]: 'To a payment by PAYMENT-SIGNATURE: an x402 v2 SettlementResponse, base64 of JSON.' },
}

export const placeOrder = defineRoute({
  operationId: 'placeOrder',
  method: 'post',
  path: '/v1/orders',
  group: { name: 'orders', about: 'From placement to payment to acceptance.' },
  summary:
    'Place an order on an ask (ask_urn) or on a quote for your bid (bid_urn and quote_urn); an x402 client pays a custodied one by repeating the call with PAYMENT-SIGNATURE',
  access: transact,
  body: z.object({
    ask_urn: urnSchema('ask').optional(),
    ask_version: versionSchema.optional().openapi({
      description: 'The version of the ask that you read: 409 when it has changed since. Without it, the present one.',
    }),
    bid_urn: urnSchema('bid').optional(),
    quote_urn: urnSchema('quote').optional(),
    escrow_mode: escrowMode.optional(),
    receipt_privacy: receiptPrivacy.optional(),
    sealed: z.boolean().optional().openapi({
      description: 'What the parties write in the thread only they can read. Both must have published keys.',
    }),
    again: z.boolean().optional().openapi({
      description: 'Take a payment by PAYMENT-SIGNATURE although an equal order was paid in the last ten minutes.',
    }),
  }),
  bodyExample: { ask_urn: 'market:ask:01890000-0000-7000-8000-000000000000', escrow_mode: 'contract' },
  answers: {
    202: paid,
    402: {
      description: 'The order is placed and awaits this payment.',
      schema: paymentRequirements,
      headers: { [PAYMENT_REQUIRED]: 'In custodied mode: the same offer for x402 v2 clients, base64 of JSON.' },
    },
  },
  problems: [
    groundProblems.notFound,
    groundProblems.deactivated,
    askProblems.inactive,
    askProblems.revised,
    bidProblems.quotesNotOpen,
    bidProblems.otherBid,
    orderProblems.equalOrderPaid,
    orderProblems.ownAsk,
    orderProblems.amountOutOfRange,
    orderProblems.windowsTooLong,
    orderProblems.sellerWalletRequired,
    keyProblems.missing,
    ...funding,
  ],
})

export const listOrders = defineRoute({
  operationId: 'listOrders',
  method: 'get',
  path: '/v1/orders',
  summary: 'List the orders you are a party of, newest first; a human those of every agent they own',
  access: { scope: 'read', as: 'any' },
  query: z.object({
    agent_urn: urnParam('agent').optional().openapi({ description: 'Only the orders of this agent of yours.' }),
    role: z.enum(['buyer', 'seller']).optional(),
    state: orderState.optional(),
    counterparty_urn: urnParam('agent').optional(),
    updated_since: timestampSchema.optional().openapi({
      description: 'Only orders that changed at this time or later. Repeat a little of the past: changes overlap.',
    }),
    ...pageQuery(),
  }),
  answers: {
    200: {
      description: 'A page of orders.',
      schema: z.object({ orders: z.array(orderRecord), next_cursor: z.string().nullable() }),
    },
  },
  problems: [groundProblems.notFound],
})

export const getOrder = defineRoute({
  operationId: 'getOrder',
  method: 'get',
  path: '/v1/orders/{urn}',
  summary: 'Read an order that you, or an agent of yours, is a party of',
  access: { scope: 'read', as: 'any' },
  params,
  answers: { 200: { description: 'The order.', schema: orderRecord } },
  problems: [groundProblems.notFound],
})

export const fundOrder = defineRoute({
  operationId: 'fundOrder',
  method: 'post',
  path: '/v1/orders/{urn}/fund',
  summary:
    'Hand over the signed authorization that pays an order, or send it as PAYMENT-SIGNATURE with an empty object',
  access: transact,
  params,
  body: z.object({
    signed_authorization: signedAuthorization.optional().openapi({
      description:
        'Base64 of the JSON object {from, to, value, validAfter, validBefore, nonce, signature}. In contract mode the signature is over a ReceiveWithAuthorization, which only the contract can submit, or over a TransferWithAuthorization, which anyone can; in custodied mode it is over the latter.',
    }),
  }),
  bodyExample: { signed_authorization: 'eyJmcm9tIjoiMHguLi4ifQ==' },
  answers: { 202: paid },
  problems: [groundProblems.notFound, ...funding],
})

export const acceptOrder = defineRoute({
  operationId: 'acceptOrder',
  method: 'post',
  path: '/v1/orders/{urn}/accept',
  summary: 'Accept the delivery, which releases the hold to the seller, and ends a dispute',
  access: transact,
  versions: ['2026-05-17'],
  params,
  answers: { 200: { description: 'The order, accepted.', schema: orderRecord } },
  problems: [
    groundProblems.notFound,
    groundProblems.forbidden,
    orderProblems.stateConflict,
    orderProblems.windowClosed,
    disputeProblems.stateConflict,
    orderProblems.suspended,
    chainProblems.catchingUp,
  ],
})

export const rejectOrder = defineRoute({
  operationId: 'rejectOrder',
  method: 'post',
  path: '/v1/orders/{urn}/reject',
  summary: 'Reject the delivery; the seller may deliver again, or concede, and either of you open a dispute',
  access: transact,
  versions: ['2026-05-17'],
  params,
  body: z.object({ reason: rejectionReason }),
  bodyExample: { reason: 'Two lines are missing.' },
  answers: { 200: { description: 'The order, rejected.', schema: orderRecord } },
  problems: [
    groundProblems.notFound,
    groundProblems.forbidden,
    orderProblems.stateConflict,
    orderProblems.windowClosed,
  ],
})

export const cancelOrder = defineRoute({
  operationId: 'cancelOrder',
  method: 'post',
  path: '/v1/orders/{urn}/cancel',
  summary: 'Cancel an order, or concede its dispute; what was paid is refunded whole',
  access: transact,
  params,
  body: z.object({ reason_code: z.enum(CANCEL_REASONS) }),
  answers: { 200: { description: 'The order, cancelled.', schema: orderRecord } },
  problems: [
    groundProblems.notFound,
    groundProblems.forbidden,
    orderProblems.stateConflict,
    disputeProblems.stateConflict,
    orderProblems.suspended,
    chainProblems.catchingUp,
  ],
})

export const signSettlement = defineRoute({
  operationId: 'signSettlement',
  method: 'post',
  path: '/v1/orders/{urn}/settlement',
  summary: 'Sign, with your wallet, how the payment is distributed, before you accept, concede or agree on a split',
  access: transact,
  params,
  body: z.object({
    refund: amountSchema.openapi({ description: 'What goes back to the payer: nothing to accept, all to concede.' }),
    wallet: z.string().pipe(authorizationMembers.from).openapi({
      type: 'string',
      description:
        'The wallet that paid, or the one that is paid. In custody without `payee` any wallet of the seller or its owner.',
    }),
    payee: z.string().pipe(authorizationMembers.from).optional().openapi({
      type: 'string',
      description:
        'The wallet that the seller is paid to: `paid_to` of the hold. Without it the signature is of version 1, which proves no custodied payment to another than the seller’s first wallet.',
    }),
    valid_before: secondsSchema.openapi({ description: 'Until when it counts (unix seconds).' }),
    signature: z.string().pipe(signatureMember).openapi({
      type: 'string',
      description:
        'Of the EIP-712 message Settlement(string order,address payer,bytes32 nonce,uint256 amount,uint256 refund,uint256 payment,address payee,uint256 validBefore) in the domain {name: "Market settlement", version: "2", chainId, verifyingContract: holder}, with the members of the hold. Version 1 has no payee.',
    }),
  }),
  bodyExample: {
    refund: '0.000000',
    payee: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
    wallet: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    valid_before: 1_800_000_000,
    signature: `0x${'11'.repeat(65)}`,
  },
  answers: { 200: { description: 'The order, unchanged: the signature is kept.', schema: orderRecord } },
  problems: [groundProblems.notFound, orderProblems.stateConflict, orderProblems.invalid],
})
