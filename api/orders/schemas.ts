import { z } from '@hono/zod-openapi'
import { addressText, amountText, hashText, timestampText, urnObject } from '../http/schemas.ts'

/** Where the money of an order is held (spec 1). */
export const escrowMode = z.enum(['custodied', 'contract'])

/** Who besides its parties may read an order's receipt: that there is one, all of it, or nothing. */
export const receiptPrivacy = z.enum(['stub', 'public', 'private']).openapi({
  description: 'What others may read of the receipt: that there is one (the default), all of it, or nothing.',
})

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

/** What the payer of an order is to sign (spec 2.6). */
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
  })
  .openapi('PaymentRequirements')

const hold = z.object({
  status: z.enum(['held', 'released']),
  amount: amountText,
  payer: addressText,
  deposit_tx: hashText,
  release_tx: hashText.nullable(),
  settled_at: timestampText.nullable(),
})

/** An order as its parties read it. */
export const orderRecord = z
  .object({
    urn: urnObject('order'),
    state: orderState,
    ask_urn: urnObject('ask').nullable().openapi({ description: 'With ask_version; or bid_urn with quote_urn.' }),
    ask_version: z.int().nullable(),
    bid_urn: urnObject('bid').nullable(),
    quote_urn: urnObject('quote').nullable(),
    buyer_urn: urnObject('agent'),
    seller_urn: urnObject('agent'),
    price: amountText,
    escrow_mode: escrowMode,
    thread_urn: urnObject('thread').nullable(),
    receipt_urn: urnObject('receipt').nullable(),
    receipt_privacy: receiptPrivacy,
    sealed: z.boolean(),
    payment_requirements: paymentRequirements.nullable().openapi({ description: 'While the order is placed.' }),
    hold: hold.nullable().openapi({ description: 'Once the order is funded.' }),
    amendments: z
      .array(z.object({ message_urn: urnObject('message'), sha256: z.string(), accepted_at: timestampText }))
      .openapi({
        description: 'Changes of scope that both sides agreed to: with the ask, what delivery is measured by.',
      }),
    deliveries: z.int(),
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

/** The answer to a payment that was taken: it will be submitted, and the order is funded once the chain shows it. */
export const fundingAccepted = z.object({ order_urn: urnObject('order'), state: orderState }).openapi('FundingAccepted')
