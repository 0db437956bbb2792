import { sql } from 'kysely'
import { z } from 'zod'
import type { Module } from '../../../module.ts'
import {
  amountText,
  isAgents,
  NOTHING,
  ON_CHAIN,
  type PersonalData,
  timeText,
  urnText,
} from '../../../platform/db/personalDataRule.ts'
import { amountIn, defineEvents, timeIn, urnIn } from '../../../platform/events/eventType.ts'
import { orderProblems } from './problems.ts'

const HOUR = 3_600
const DAY = 86_400

/** The members of every event about an order: its parties, its price, and its state after the event. */
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
  price: amountIn,
  escrow_mode: z.enum(['custodied', 'contract']),
  buyer_urn: urnIn('agent'),
  seller_urn: urnIn('agent'),
  thread_urn: urnIn('thread').optional(),
  receipt_urn: urnIn('receipt').optional(),
  sla_due_at: timeIn.optional(),
  accept_by: timeIn.optional(),
  redeliver_by: timeIn.optional(),
})

export const orderEvents = defineEvents({
  'order.placed': {
    when: 'The order exists and awaits its payment.',
    payload: aboutOrder.extend({
      ask_urn: urnIn('ask').optional(),
      bid_urn: urnIn('bid').optional(),
      quote_urn: urnIn('quote').optional(),
    }),
    isSpecified: true,
  },
  'order.funded': {
    when: 'The payment is confirmed on chain; the thread is open.',
    payload: aboutOrder,
    isSpecified: true,
  },
  'order.in_flight': { when: 'The seller posted work_started.', payload: aboutOrder, isSpecified: true },
  'order.delivered': {
    when: 'The seller posted a delivery_notice. The buyer decides before accept_by.',
    payload: aboutOrder,
    isSpecified: true,
    tells: { title: 'Work that you ordered was delivered', to: ['buyer_urn'], by: 'seller_urn' },
  },
  'order.accepted': {
    when: 'The buyer accepted, or the window to decide ended.',
    payload: aboutOrder,
    isSpecified: true,
  },
  'order.rejected': {
    when: 'The buyer rejected the delivery. The seller may deliver again before redeliver_by.',
    payload: aboutOrder,
    isSpecified: true,
    tells: { title: 'A delivery of yours was rejected', to: ['seller_urn'], by: 'buyer_urn' },
  },
  'order.cancelled': {
    when: 'The order was cancelled by a party, by both, because it was not paid, or because its hold expired undelivered.',
    payload: aboutOrder,
    isSpecified: true,
  },
  'order.disputed': {
    when: 'A party opened a dispute, or the window to deliver again ended.',
    payload: aboutOrder,
    isSpecified: true,
  },
  'receipt.finalized': {
    when: 'The money of the order is distributed, and its receipt signed.',
    // How the whole hold was distributed.
    payload: aboutOrder.extend({ refund: amountIn, seller_net: amountIn, market_fee: amountIn }),
    isSpecified: true,
  },
  'receipt.delivered': {
    when: 'Accompanies order.delivered, about the receipt.',
    payload: aboutOrder,
    isSpecified: true,
  },
  'sla.breached': { when: 'The seller has not delivered in time.', payload: aboutOrder, isSpecified: true },
  'order.window_ending': {
    when: 'A quarter of the window to decide on a delivery is left, or a day of a longer one. Only for windows of a day or more.',
    payload: aboutOrder,
    tells: { title: 'A delivery accepts itself soon', to: ['buyer_urn'] },
  },
  'order.hold_expired': {
    when: 'The hold in the contract expired before the order ended. Its payer can reclaim the money on chain, which ends the order.',
    payload: aboutOrder,
    tells: { title: 'You can take the money of an order back', to: ['buyer_urn'] },
  },
  'order.payment_failed': {
    when: 'An accepted payment could not be made; the order stays as it is.',
    payload: aboutOrder.extend({ amount: amountIn, reason: z.string() }),
  },
  'order.suspended': {
    when: 'A reorganisation of the chain removed the payment. The money does not move until the payment is back.',
    payload: aboutOrder,
  },
  'order.resumed': {
    when: 'The payment of a suspended order is back. Its windows are extended by the time of the suspension.',
    payload: aboutOrder,
  },
})

const personalData: PersonalData = {
  tables: {
    'market.orders': {
      overwritten: { rows: isAgents('buyer_id'), columns: { reason: NOTHING } },
      kept: { because: ON_CHAIN, columns: ['payee', 'recipient', 'fee_recipient', 'nonce', 'order_key'] },
      plain: [
        ...['id', 'state', 'buyer_id', 'seller_id', 'ask_id', 'ask_version', 'escrow_mode', 'price_micros', 'fee_bps'],
        'seller_owner_id',
        ...['bid_id', 'quote_id'],
        ...['sla_seconds', 'auto_accept_seconds', 'valid_after', 'valid_before', 'expires_at', 'request_hash'],
        ...[
          'thread_id',
          'receipt_id',
          'dispute_id',
          'deliveries',
          'delivery_has_bytes',
          'placed_at',
          'placement_entry',
          'funded_at',
          'sla_due_at',
          'sla_breached_at',
        ],
        ...['delivered_at', 'accept_by', 'remind_at', 'redeliver_by', 'hold_expired_at', 'closed_at', 'suspended_at'],
        ...['updated_at', 'receipt_privacy', 'sealed', 'buyer_keys_id', 'seller_keys_id'],
      ],
    },
  },
  sections: [
    {
      name: 'orders',
      rows: (person) => sql`
        select id, jsonb_build_object('urn', ${urnText('order', 'id')}, 'state', state,
          'buyer_urn', ${urnText('agent', 'buyer_id')}, 'seller_urn', ${urnText('agent', 'seller_id')},
          'ask_urn', ${urnText('ask', 'ask_id')}, 'ask_version', ask_version, 'bid_urn', ${urnText('bid', 'bid_id')},
          'quote_urn', ${urnText('quote', 'quote_id')}, 'escrow_mode', escrow_mode,
          'price', ${amountText('price_micros')}, 'recipient', recipient, 'nonce', nonce, 'reason', reason,
          'placed_at', ${timeText('placed_at')}, 'funded_at', ${timeText('funded_at')}, 'delivered_at', ${timeText('delivered_at')},
          'closed_at', ${timeText('closed_at')}) as document
        from market.orders
        where buyer_id in ${person.agents} or seller_id in ${person.agents}`,
    },
  ],
}

const rules = {
  minOrderMicros: 100_000n,
  maxOrderMicros: 10_000_000_000n,
  custodyThresholdMicros: 1_000_000_000n,
  /** The largest order that a stock x402 client is offered to pay: its payment says nothing of the seller. */
  x402MaxAmountMicros: 100_000_000n,
  paymentWindowSeconds: HOUR,
  defaultSlaSeconds: 7 * DAY,
  maxSlaSeconds: 60 * DAY,
  minAutoAcceptSeconds: HOUR,
  maxAutoAcceptSeconds: 14 * DAY,
  defaultAutoAcceptSeconds: DAY,
  maxDeliveries: 3,
  rejectionWindowSeconds: 3 * DAY,
  /** The most wei that the payments of one owner may cost in any 24 hours, and those of a new owner. */
  dailyFundingWei: 500_000_000_000_000_000n,
  newOwnerFundingWei: 50_000_000_000_000_000n,
}

/** What the service knows through this folder. */
export const orders = {
  events: orderEvents,
  problems: orderProblems,
  rules,
  personalData,
  schema: ['api/trading/orders/record/schema.sql'],
} satisfies Module
