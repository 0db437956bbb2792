import { z } from 'zod'
import type { UrnPrefix } from '../../../protocol/encoding/urn.ts'

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'

/** A URN in a payload: a string (spec 6.2). */
function urnIn(...prefixes: [UrnPrefix, ...UrnPrefix[]]) {
  return z.string().regex(new RegExp(`^market:(${prefixes.join('|')}):${UUID}$`))
}

/** An amount in a payload: a decimal string with six fractional digits. */
const amount = z.string().regex(/^(0|[1-9][0-9]*)\.[0-9]{6}$/)

/** A time in a payload: ISO 8601 in UTC. */
const time = z.iso.datetime()

const sha256 = z.string().regex(/^[0-9a-f]{64}$/)

/** What every event about an order says: whose it is, what it costs, and where it stands after the event. */
export const aboutOrder = z.object({
  order_urn: urnIn('order'),
  state: z.enum([
    'placed',
    'funded',
    'in_flight',
    'delivered',
    'accepted',
    'rejected',
    'cancelled',
    'disputed',
    'final',
  ]),
  price: amount,
  escrow_mode: z.enum(['custodied', 'contract']),
  buyer_urn: urnIn('agent'),
  seller_urn: urnIn('agent'),
  thread_urn: urnIn('thread').optional(),
  receipt_urn: urnIn('receipt').optional(),
  sla_due_at: time.optional(),
  accept_by: time.optional(),
  redeliver_by: time.optional(),
})

export const orderPlaced = aboutOrder.extend({
  ask_urn: urnIn('ask').optional(),
  bid_urn: urnIn('bid').optional(),
  quote_urn: urnIn('quote').optional(),
})

export const paymentFailed = aboutOrder.extend({ amount, reason: z.string() })

/** How the whole hold was distributed. */
export const receiptFinalized = aboutOrder.extend({ refund: amount, seller_net: amount, market_fee: amount })

/** What every event about a dispute says besides: where the dispute stands. `state` is that of the order. */
export const aboutDispute = aboutOrder.extend({
  dispute_urn: urnIn('dispute'),
  dispute_state: z.enum(['open', 'pre_review', 'arbitrating', 'in_review', 'decided', 'executing', 'closed']),
  due_at: time.optional(),
})
export const disputeOpened = aboutDispute.extend({ opener_urn: urnIn('agent') })
export const disputeFlagged = aboutDispute.extend({ reasons: z.array(z.string()) })
export const fileHandedIn = aboutDispute.extend({
  evidence_urn: urnIn('evidence'),
  party: z.enum(['buyer', 'seller']),
  stage: z.enum(['evidence', 'appeal']),
  sha256,
})
export const disputeSettled = aboutDispute.extend({
  outcome: z.enum(['settlement', 'concession', 'release']),
  refund: amount,
})
export const aboutVerdict = aboutDispute.extend({ verdict_urn: urnIn('verdict') })

export const aboutAppeal = aboutDispute.extend({ appellant_urn: urnIn('agent'), fee: amount })

export const ratingPosted = aboutOrder.extend({ rating_urn: urnIn('rating'), rating: z.int().min(1).max(5) })

export const aboutMessage = aboutOrder.extend({ message_urn: urnIn('message') })
export const messageDisclosed = z.object({
  order_urn: urnIn('order'),
  thread_urn: urnIn('thread'),
  message_urn: urnIn('message'),
})
export const messageInserted = aboutMessage.extend({ sender_urn: urnIn('agent'), kind: z.string() })
export const deliveryNotice = aboutMessage.extend({ delivery_urn: urnIn('delivery').optional() })
export const deliveryReceived = aboutOrder.extend({ delivery_urn: urnIn('delivery'), output_hash: sha256 })
export const proposalAccepted = aboutMessage.extend({ kind: z.string(), sha256 })

export const aboutBid = z.object({
  bid_urn: urnIn('bid'),
  state: z.enum(['open', 'closed']),
  max_price: amount,
})

export const aboutQuote = z.object({
  quote_urn: urnIn('quote'),
  bid_urn: urnIn('bid'),
  seller_urn: urnIn('agent'),
  price: amount,
  state: z.enum(['open', 'withdrawn', 'replaced', 'ordered']),
})

export const aboutPayout = z.object({
  payout_urn: urnIn('payout'),
  order_urn: urnIn('order').optional(),
  state: z.enum(['blocked', 'pending', 'submitted', 'confirmed', 'failed']),
  amount,
  tx_hash: z.string().optional(),
})
export const payoutReopened = aboutPayout.extend({ wallet_urn: urnIn('wallet'), attempt: z.int() })

export const aboutWallet = z.object({ wallet_urn: urnIn('wallet') })
export const walletChosen = aboutWallet.extend({
  account_urn: urnIn('human', 'agent'),
  payout_from: time.nullable(),
})

const webhook_urn = urnIn('webhook')
export const webhookPaused = z.object({ webhook_urn, status: z.literal('paused') })
export const deadLetter = z.object({ webhook_urn, delivery_id: z.uuid(), event_id: z.uuid(), event_type: z.string() })

export const lossBooked = z.object({
  fact: z.string(),
  place: z.enum(['escrow', 'hot_wallet']),
  amount,
  tx_hash: z.string(),
})
export const hotWalletFloor = z.object({ hot_wallet: z.string(), balance: amount, due: amount, floor: amount })
