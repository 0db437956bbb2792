import { z } from '@hono/zod-openapi'
import {
  addressText,
  amountText,
  hashText,
  text,
  timestampText,
  urnObject,
} from '../../../platform/http/route/schemas.ts'
import { measureAnswer } from '../../criteria/schema.ts'
import { buyerRecord } from '../../reputation/schemas.ts'
import { ORDER_ACTIONS } from './guards.ts'

/** The reasons for which a party cancels. `conceded`: the seller refunds work that it had delivered. */
export const CANCEL_REASONS = [
  'changed_mind',
  'ordered_by_mistake',
  'cannot_deliver',
  'sla_breached',
  'conceded',
  'other',
] as const

/** One reason code of the cancel call. */
export type CancelReason = (typeof CANCEL_REASONS)[number]

/** Where the money of an order is held (spec 1). */
export const escrowMode = z.enum(['custodied', 'contract'])

/**
 * The part of an order's receipt that anyone except its parties may read: its existence, all of it, or
 * nothing.
 */
export const receiptPrivacy = z.enum(['stub', 'public', 'private']).openapi({
  description: 'What others may read of the receipt: that there is one (the default), all of it, or nothing.',
})

const MAX_REASON_CHARACTERS = 5000

/** Why a buyer rejects a delivery. */
export const rejectionReason = text(MAX_REASON_CHARACTERS, 0).nullish()

/** Every state of an order (spec 2.7). */
export const orderState = z.enum([
  'placed',
  'funded',
  'in_flight',
  'delivered',
  'accepted',
  'rejected',
  'cancelled',
  'disputed',
  'final',
])

const terms = z
  .object({
    order: hashText.openapi({ description: 'keccak256 of the order’s URN.' }),
    payee: addressText,
    amount: amountText,
    fee_recipient: addressText,
    fee_bps: z.int(),
    fund_by: z.int().openapi({ description: 'Unix seconds, as they are hashed.' }),
    expiry: z
      .int()
      .openapi({ description: 'Unix seconds. After it the payer can take the money back without the service.' }),
  })
  .openapi('HoldTerms')

/** What the payer of an order must sign (spec 2.6). */
export const paymentRequirements = z
  .object({
    order_urn: urnObject('order'),
    token: addressText,
    network: z.string().openapi({ example: 'eip155:84532' }),
    amount: amountText,
    recipient: addressText,
    nonce: hashText,
    valid_after: timestampText,
    valid_before: timestampText,
    escrow_mode: escrowMode,
    seller_urn: urnObject('agent').optional().openapi({
      description:
        'In custodied mode: who is to be paid. The nonce is the hash of order, amount, seller and owner: recompute it before you sign.',
    }),
    seller_owner_urn: urnObject('human')
      .optional()
      .openapi({ description: 'In custodied mode: the human behind the seller.' }),
    terms: terms.optional().openapi({
      description:
        'In contract mode: what the nonce is the hash of. Recompute it before you sign, with the chain, contract and token that you were configured with.',
    }),
  })
  .openapi('PaymentRequirements')

const hold = z.object({
  status: z.enum(['held', 'released']),
  amount: amountText,
  payer: addressText,
  deposit_tx: hashText,
  nonce: hashText.openapi({ description: 'Of the payment: with the payer, the token’s identity of it.' }),
  payee: addressText
    .nullable()
    .openapi({ description: 'The wallet that is paid; null in custody, where the seller’s are.' }),
  paid_to: addressText.optional().openapi({
    description:
      'While it is held: the wallet that the seller is paid to now, which a settlement names. The zero address if the seller has none yet.',
  }),
  holder: addressText.openapi({ description: 'The escrow contract, or the hot wallet.' }),
  fee_bps: z.int().openapi({ description: 'The fee, in hundredths of a percent of what the seller is paid.' }),
  release_tx: hashText.optional().openapi({ description: 'Once it is released.' }),
  settled_at: timestampText.optional(),
})

export const funding = z
  .object({
    state: z.enum(['submitted', 'failed', 'arrived', 'adopting', 'returning', 'returned', 'kept']).openapi({
      description:
        'submitted: a signed payment is on its way to the chain. failed: it could not be made, nothing moved, and the order can be funded again until its offer ends. arrived: money has arrived that the buyer has not claimed with its signature. adopting: the payment was taken to the token without the contract. The contract makes it the hold of this order after a delay of days; meanwhile the order does not expire. returning, returned: it goes or went back to its payer, because the order had ended. kept: no signature names its payer; an operator returns it.',
    }),
    reason: z.string().optional().openapi({ description: 'Why the payment failed: a stable name.' }),
    detail: z.string().optional().openapi({ description: 'What to do, for people.' }),
    amount: amountText.optional().openapi({ description: 'How much has arrived.' }),
    tx: z.string().optional().openapi({
      description:
        'The transaction it arrived in; of a submitted or failed payment the last one that the facilitator sent for it, once it has.',
    }),
    returned_to: z.enum(['claimable']).optional().openapi({
      description: 'claimable: it is credited to its payer in the contract, who takes it out with withdraw.',
    }),
    until: timestampText
      .optional()
      .openapi({ description: 'When it can be adopted, once that is announced on chain.' }),
  })
  .openapi('OrderFunding')

/** An order in the form that its parties read. */
export const orderRecord = z
  .object({
    urn: urnObject('order'),
    state: orderState,
    may: z.array(z.enum(ORDER_ACTIONS)).openapi({
      description:
        'What the caller can do with the order now; for a human who owns both parties and names none in `Market-Agent`, as either of them.',
    }),
    ask_urn: urnObject('ask').nullable().openapi({ description: 'With ask_version; or bid_urn with quote_urn.' }),
    ask_version: z.int().nullable(),
    bid_urn: urnObject('bid').nullable(),
    quote_urn: urnObject('quote').nullable(),
    buyer_urn: urnObject('agent'),
    seller_urn: urnObject('agent'),
    title: z.string().optional().openapi({ description: 'Of what was ordered, in the version ordered.' }),
    buyer_name: z.string().optional(),
    seller_name: z.string().optional(),
    next_deadline: z
      .object({
        what: z.enum(['pay', 'adopt', 'deliver', 'decide', 'redeliver', 'dispute', 'expire']),
        at: timestampText,
      })
      .nullish()
      .openapi({
        description:
          'What must be done next, and until when; null where nothing must. adopt: from then on the contract makes the payment the hold. expire: since then the payer can take the money back from the contract.',
      }),
    buyer_record: buyerRecord.optional().openapi({ description: 'To its seller.' }),
    price: amountText,
    escrow_mode: escrowMode,
    thread_urn: urnObject('thread').nullable(),
    receipt_urn: urnObject('receipt').nullable(),
    dispute_urn: urnObject('dispute').optional().openapi({ description: 'Once it is disputed.' }),
    receipt_privacy: receiptPrivacy,
    sealed: z.boolean(),
    payment_requirements: paymentRequirements.nullable().openapi({ description: 'While the order is placed.' }),
    hold: hold.nullable().openapi({ description: 'Once the order is funded.' }),
    funding: funding
      .optional()
      .openapi({ description: 'Where its payment stands, while there is one and no hold has it.' }),
    amendments: z
      .array(z.object({ message_urn: urnObject('message'), sha256: z.string(), accepted_at: timestampText }))
      .openapi({
        description: 'Changes of scope that both sides agreed to: with the ask, what delivery is measured by.',
      }),
    ...measureAnswer,
    criteria_sha256: z.string().optional().openapi({
      description:
        'SHA-256 of the canonical JSON of {criteria, criteria_complete} as they stand, changes of scope included.',
    }),
    deliveries: z.int(),
    delivery_has_bytes: z.boolean().nullable().openapi({
      description:
        'Whether the last delivery notice names an upload. If not, the service has no bytes of it: it checks nothing, and a dispute finds no delivery unless the bytes come as evidence. Null until there is a delivery.',
    }),
    reason: z.string().nullable().openapi({ description: 'Why it was cancelled, or the last delivery rejected.' }),
    placed_at: timestampText,
    updated_at: timestampText,
    funded_at: timestampText.nullable(),
    sla_due_at: timestampText.nullable(),
    delivered_at: timestampText.nullable(),
    accept_by: timestampText.nullable(),
    redeliver_by: timestampText.nullable(),
    closed_at: timestampText.nullable(),
    suspended_at: timestampText.nullable().openapi({
      description: 'Since when the payment is gone from the chain: until it is back, the money of the order stays.',
    }),
  })
  .openapi('Order')

/**
 * The answer to an accepted payment: it will be submitted, and the order is funded once the chain shows it.
 */
export const fundingAccepted = z.object({ order_urn: urnObject('order'), state: orderState }).openapi('FundingAccepted')

const MAX_AUTHORIZATION_CHARACTERS = 16_384

/** A signed authorization as a fund call takes it. */
export const signedAuthorization = z.string().max(MAX_AUTHORIZATION_CHARACTERS).openapi({
  description: 'Base64 of the JSON object {from, to, value, validAfter, validBefore, nonce, signature}.',
})
