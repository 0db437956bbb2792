import { z } from '@hono/zod-openapi'
import { signedReceipt } from '../../protocol/receipt.ts'
import { defineRoute } from '../http/route.ts'
import { text, urnObject, urnParam } from '../http/schemas.ts'
import { orderState } from '../orders/schemas.ts'

const MAX_REASON_CHARACTERS = 5000

const params = z.object({ urn: urnParam('receipt') })
const stub = { urn: urnObject('receipt'), order_urn: urnObject('order'), disputed: z.boolean() }

export const getReceipt = defineRoute({
  operationId: 'getReceipt',
  method: 'get',
  path: '/v1/receipts/{urn}',
  summary: 'Read a receipt; its parties also get the signed document, once it is final',
  access: { scope: 'read', as: 'any' },
  params,
  answers: {
    200: {
      description: 'The receipt.',
      schema: z
        .object({
          ...stub,
          signed: signedReceipt.nullable().optional().openapi({
            description:
              'To the parties: the document with its Ed25519 signature (RFC 8785, base64url); null while the order is open.',
          }),
        })
        .openapi('Receipt'),
    },
  },
  problems: ['resource/not-found'],
})

export const signReceipt = defineRoute({
  operationId: 'signReceipt',
  method: 'post',
  path: '/v1/receipts/{urn}/sign',
  summary: 'Accept or reject the delivery',
  access: { scope: 'transact', as: 'agent' },
  versions: ['2026-05-05'],
  params,
  body: z.object({ accept: z.boolean(), reason: text(MAX_REASON_CHARACTERS, 0).nullish() }),
  answers: {
    200: { description: 'The receipt, and how its order stands.', schema: z.object({ ...stub, state: orderState }) },
  },
  problems: [
    'resource/not-found',
    'auth/forbidden',
    'orders/state-conflict',
    'orders/window-closed',
    'orders/suspended',
  ],
})
