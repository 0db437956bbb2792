import { z } from '@hono/zod-openapi'
import { verdictDocument } from '../../../../protocol/records/verdict.ts'
import {
  amountSchema,
  amountText,
  text,
  timestampText,
  UUID_PATTERN,
  urnObject,
} from '../../../platform/http/route/schemas.ts'
import { GROUNDS } from './grounds.ts'
import { APPEAL_ACTIONS, DISPUTE_ACTIONS } from './guards.ts'

const MAX_STATEMENT_CHARACTERS = 5000
const MAX_EVIDENCE = 20
const ID = '01890000-0000-7000-8000-000000000000'

const ground = z.enum(GROUNDS)

const statementMembers = z.strictObject({
  grounds: z.array(ground).min(1).max(GROUNDS.length),
  what_happened: text(MAX_STATEMENT_CHARACTERS, 0),
  wanted: text(MAX_STATEMENT_CHARACTERS, 0).optional(),
  requested_refund: amountSchema.optional().openapi({
    description: 'Only the buyer: what it asks for. No verdict gives it more. Without it, the price.',
  }),
  offered_refund: amountSchema.optional().openapi({
    description: 'Only the seller: what it offers. No verdict leaves it more. Without it, nothing.',
  }),
})

/** A party's statement: a text, which has the ground `other`, or its members. */
export const statementSchema = z.union([
  statementMembers,
  text(MAX_STATEMENT_CHARACTERS).transform((what_happened) => ({ grounds: ['other' as const], what_happened })),
])

/** A party's statement to the human who hears an appeal. */
export const appealStatement = text(MAX_STATEMENT_CHARACTERS)

/** Messages and uploads of the order, by their URNs in either form. */
export const evidenceSchema = z
  .array(
    z
      .union([
        z
          .string()
          .regex(
            new RegExp(`^market:(message|delivery):${UUID_PATTERN}$`),
            'must be the URN of a message or a delivery',
          ),
        z.strictObject({
          prefix: z.enum(['message', 'delivery']),
          body: z.string().regex(new RegExp(`^${UUID_PATTERN}$`)),
        }),
      ])
      .transform((value) => {
        const [, prefix, body] = typeof value === 'string' ? value.split(':') : ['', value.prefix, value.body]
        return {
          kind: prefix === 'message' ? ('message' as const) : ('delivery' as const),
          id: (body ?? '').toLowerCase(),
        }
      })
      .openapi({ description: 'URN of a message or a delivery of the order.', example: `market:message:${ID}` }),
  )
  .max(MAX_EVIDENCE)

/** Every state of a dispute. */
export const disputeState = z.enum(['open', 'pre_review', 'arbitrating', 'in_review', 'decided', 'executing', 'closed'])

const statement = z
  .object({
    grounds: z.array(ground),
    what_happened: z.string(),
    wanted: z.string().optional(),
    requested_refund: amountText.optional(),
    offered_refund: amountText.optional(),
    created_at: timestampText,
  })
  .openapi('DisputeStatement')

const consent = z.object({ buyer: z.boolean(), seller: z.boolean() })
const party = z.enum(['buyer', 'seller'])

/**
 * The payment that an appeal's fee requires: the 402 answer, which the appellant can also read until it is
 * paid.
 */
export const appealRequirements = z
  .object({
    dispute_urn: urnObject('dispute'),
    appellant_urn: urnObject('agent'),
    token: z.string(),
    network: z.string().openapi({ description: 'CAIP-2 chain id, eip155:<id>.' }),
    amount: amountText,
    recipient: z.string(),
    nonce: z.string().openapi({
      pattern: '^0x[0-9a-f]{64}$',
      description: 'The EIP-3009 nonce to sign: a hash of the dispute, the appellant and the amount.',
    }),
    valid_after: timestampText,
    valid_before: timestampText,
  })
  .openapi('AppealRequirements')

/** A payment of an appeal's fee that the chain does not show yet. */
const appealPayment = z.object({
  state: z.enum(['submitted', 'failed']),
  reason: z.string().optional().openapi({ description: 'Why it could not be made: another one can be signed.' }),
  detail: z.string().openapi({ description: 'What to do, for people.' }),
  tx: z
    .string()
    .optional()
    .openapi({ description: 'The last transaction that the facilitator sent for it, once it has.' }),
})

const appeal = z.object({
  party,
  fee: amountText,
  state: z.enum(['offered', 'lapsed', 'held', 'kept', 'returned']).openapi({
    description:
      'Of its fee. offered: to be paid; lapsed: it was not; held: the appeal is heard; kept: it did not raise what the appellant gets; returned: it did, or nobody decided in time.',
  }),
  may: z.array(z.enum(APPEAL_ACTIONS)).openapi({ description: 'What you may do with it now.' }),
  payment: appealPayment.optional(),
  payment_requirements: appealRequirements.optional(),
  offered_at: timestampText,
  paid_at: timestampText.optional(),
  ended_at: timestampText.optional(),
})

/** A file that a party handed in. */
export const evidenceFile = z
  .object({
    evidence_urn: urnObject('evidence'),
    party,
    stage: z.enum(['evidence', 'appeal']).openapi({ description: 'What it is part of.' }),
    sha256: z.string().openapi({ description: 'Of its bytes, hex.' }),
    size_bytes: z.int(),
    filename: z.string().optional(),
    created_at: timestampText,
  })
  .openapi('EvidenceFile')

/** A dispute in the form that its parties read. */
export const disputeRecord = z
  .object({
    urn: urnObject('dispute'),
    order_urn: urnObject('order'),
    opener_urn: urnObject('agent'),
    state: disputeState,
    may: z
      .array(z.enum(DISPUTE_ACTIONS))
      .openapi({ description: 'What you may do with it now, what comes next first. The order’s `may` says the rest.' }),
    claim: statement,
    response: statement.optional(),
    evidence: z.array(
      z.object({
        party,
        message_urn: urnObject('message').optional(),
        delivery_urn: urnObject('delivery').optional(),
        created_at: timestampText,
      }),
    ),
    files: z
      .array(evidenceFile)
      .openapi({ description: 'What each side handed in, to the evidence and to an appeal.' }),
    rejections: z.array(z.object({ delivery: z.int(), reason: z.string().optional(), rejected_at: timestampText })),
    ready: consent.openapi({ description: 'Who has nothing to add. With both, the evidence closes.' }),
    waived: consent.openapi({ description: 'Who will not appeal. With both, the verdict is executed.' }),
    flags: z.array(z.string()).openapi({ description: 'Why a human decides: reason codes.' }),
    appeals: z.array(appeal).openapi({ description: 'Each side can appeal once; the first that pays is heard.' }),
    appeal_statements: z
      .array(z.object({ party, statement: z.string(), created_at: timestampText }))
      .openapi({ description: 'What each side says to whoever hears the appeal.' }),
    appeal_heard_until: timestampText.optional().openapi({
      description: 'Until when both sides may speak to the appeal that is heard, and hand in files.',
    }),
    due_at: timestampText.optional().openapi({
      description: 'When its state ends by itself; a decided one not before an appeal can no longer be paid.',
    }),
    evidence_sha256: z.string().optional().openapi({ description: 'Of the record it is decided by, once frozen.' }),
    verdict_urn: urnObject('verdict').optional().openapi({ description: 'The verdict that stands.' }),
    verdict_urns: z.array(urnObject('verdict')),
    outcome: z.enum(['verdict', 'settlement', 'concession', 'release', 'chain']).optional(),
    refund: amountText.optional().openapi({ description: 'What the buyer gets back, once it is ended.' }),
    opened_at: timestampText,
    closed_at: timestampText.optional(),
  })
  .openapi('Dispute')

// A schema that was made before the OpenAPI library was loaded cannot have its own description.
const document = z.looseObject(verdictDocument.shape).openapi('VerdictDocument')
const { winner, remedy, grounds, confidence, prompt_version, partial_amount_usdc } = verdictDocument.shape

/** A verdict: its members of spec 2.11, and the document that was signed. */
export const verdictRecord = z
  .object({
    urn: urnObject('verdict'),
    dispute_urn: urnObject('dispute'),
    order_urn: urnObject('order'),
    sequence: z.int(),
    supersedes_urn: urnObject('verdict').optional(),
    party_a: urnObject('agent').openapi({ description: 'The buyer.' }),
    party_b: urnObject('agent').openapi({ description: 'The seller.' }),
    ...{ winner, remedy, partial_amount_usdc, grounds, confidence, prompt_version },
    decided_at: timestampText,
    appeal_until: timestampText.optional(),
    signed: z.object({ document, key_id: z.string(), signature: z.string() }).openapi({
      description: 'The document with its Ed25519 signature (RFC 8785, base64url), by a key of purpose verdicts.',
    }),
  })
  .openapi('Verdict')

/** Everything needed to check a verdict offline. */
export const verdictProof = z
  .object({
    verdict_urn: urnObject('verdict'),
    valid: z.boolean().openapi({ description: 'Whether a published key made the signature. Do not take our word.' }),
    sha256: z.string().openapi({ pattern: '^[0-9a-f]{64}$', description: 'Of the canonical document.' }),
    key_id: z.string(),
    signature: z.string(),
    document,
    canonical: z.string().openapi({ description: 'The bytes that were signed (RFC 8785).' }),
  })
  .openapi('VerdictProof')
