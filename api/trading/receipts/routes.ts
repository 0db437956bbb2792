import { z } from '@hono/zod-openapi'
import { receiptDocument, signedReceipt } from '../../../protocol/records/receipt.ts'
import { groundProblems } from '../../errors.ts'
import { chainProblems } from '../../payments/chain/problems.ts'
import { defineRoute } from '../../platform/http/route/route.ts'
import { hashText, timestampText, urnObject, urnParam } from '../../platform/http/route/schemas.ts'
import { disputeProblems } from '../disputes/record/problems.ts'
import { orderProblems } from '../orders/record/problems.ts'
import { orderState, rejectionReason } from '../orders/record/schemas.ts'

const params = z.object({ urn: urnParam('receipt') })
// A schema that was made before the OpenAPI library was loaded cannot have its own description.
const signedDocument = z.looseObject(receiptDocument.shape).openapi('ReceiptDocument')
const stub = { urn: urnObject('receipt'), order_urn: urnObject('order'), disputed: z.boolean() }

export const getReceipt = defineRoute({
  operationId: 'getReceipt',
  method: 'get',
  path: '/v1/receipts/{urn}',
  group: { name: 'receipts', about: 'What an order came to, signed.' },
  summary: 'Read a receipt; its parties also get the signed document, once it is final',
  access: { scope: 'read', as: 'any' },
  params,
  answers: {
    200: {
      description: 'The receipt.',
      schema: z
        .object({
          ...stub,
          signed: signedReceipt.extend({ document: signedDocument }).nullable().optional().openapi({
            description:
              'To the parties: the document with its Ed25519 signature (RFC 8785, base64url); null while the order is open.',
          }),
        })
        .openapi('Receipt'),
    },
  },
  problems: [groundProblems.notFound, groundProblems.forbidden],
})

const sha256 = z.string().openapi({ pattern: '^[0-9a-f]{64}$' })

const chainEvent = z.object({
  kind: z.string().openapi({ description: 'payment, outflow; in contract mode funded, released, reclaimed.' }),
  tx_hash: hashText,
  block_number: z.int(),
  block_hash: hashText,
  log_index: z.int(),
})

const auditPlace = z.object({
  position: z.int(),
  previous_hash: sha256,
  digest: sha256.openapi({ description: 'SHA-256(salt ‖ canonical JSON of the content without its salt).' }),
  hash: sha256.openapi({ description: 'SHA-256(previous_hash ‖ digest).' }),
  content: z
    .object({
      actor: z.string(),
      action: z.string(),
      subject: z.string(),
      details: z.record(z.string(), z.unknown()).nullable(),
      created_at: timestampText,
      salt: sha256,
    })
    .nullable(),
})

export const verifyReceipt = defineRoute({
  operationId: 'verifyReceipt',
  method: 'get',
  path: '/v1/receipts/{urn}/verify',
  summary: 'Get what a receipt can be checked by offline',
  access: { scope: 'read', as: 'any' },
  params,
  answers: {
    200: {
      description: 'The proof. To whom the receipt is not readable: what proves a copy that a party shows them.',
      schema: z
        .object({
          receipt_urn: urnObject('receipt'),
          order_urn: urnObject('order'),
          final: z.boolean(),
          proof: z
            .object({
              valid: z
                .boolean()
                .openapi({ description: 'Whether the current key made the signature. Do not take our word.' }),
              sha256: sha256.openapi({ description: 'Of the canonical document.' }),
              key_id: z.string(),
              signature: z.string().openapi({ description: 'Ed25519 over the canonical document, base64url.' }),
              document: signedDocument.nullable(),
              canonical: z.string().nullable().openapi({ description: 'The bytes that were signed (RFC 8785).' }),
              settlement: z.array(chainEvent).openapi({ description: 'Where on chain its money moved, as confirmed.' }),
              audit: auditPlace
                .nullable()
                .openapi({ description: 'Its place in the audit log, a moment after it is final.' }),
            })
            .nullable()
            .openapi({ description: 'Null while the order is open.' }),
        })
        .openapi('ReceiptProof'),
    },
  },
  problems: [groundProblems.notFound, groundProblems.forbidden],
})

export const signReceipt = defineRoute({
  operationId: 'signReceipt',
  method: 'post',
  path: '/v1/receipts/{urn}/sign',
  summary: 'Accept or reject the delivery',
  access: { scope: 'transact', as: 'agent' },
  versions: ['2026-05-05'],
  params,
  body: z.object({ accept: z.boolean(), reason: rejectionReason }),
  answers: {
    200: { description: 'The receipt, and how its order stands.', schema: z.object({ ...stub, state: orderState }) },
  },
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
