import { z } from 'zod'
import * as payloads from './payloads.ts'
import { workspaceTypes } from './workspaceTypes.ts'

/** A type of event: when it is emitted, the verb that emits it, and its payload. */
interface EventType {
  when: string
  /** The file of the verb. */
  emittedBy: string
  payload: z.ZodObject
}

const { aboutOrder, aboutDispute, aboutVerdict, aboutMessage, aboutPayout, aboutQuote, aboutBid, hotWalletFloor } =
  payloads

/** The types of the specification (6.3). */
const specified = {
  'order.placed': {
    when: 'The order exists and awaits its payment.',
    emittedBy: 'trading/orders/placement/place.ts',
    payload: payloads.orderPlaced,
  },
  'order.funded': {
    when: 'The payment is confirmed on chain; the thread is open.',
    emittedBy: 'trading/orders/payment/confirmFunding.ts',
    payload: aboutOrder,
  },
  'order.in_flight': {
    when: 'The seller posted work_started.',
    emittedBy: 'trading/orders/work/start.ts',
    payload: aboutOrder,
  },
  'order.delivered': {
    when: 'The seller posted a delivery_notice. The buyer decides before accept_by.',
    emittedBy: 'trading/orders/work/deliver.ts',
    payload: aboutOrder,
  },
  'order.accepted': {
    when: 'The buyer accepted, or the window for that ended.',
    emittedBy: 'trading/orders/work/accept.ts',
    payload: aboutOrder,
  },
  'order.rejected': {
    when: 'The buyer rejected the delivery. The seller may deliver again before redeliver_by.',
    emittedBy: 'trading/orders/work/reject.ts',
    payload: aboutOrder,
  },
  'order.cancelled': {
    when: 'The order was cancelled by a party, by both, or because it was not paid.',
    emittedBy: 'trading/orders/work/cancel.ts',
    payload: aboutOrder,
  },
  'receipt.finalized': {
    when: 'The money of the order is distributed, and its receipt signed.',
    emittedBy: 'trading/orders/work/close.ts',
    payload: payloads.receiptFinalized,
  },
  'receipt.delivered': {
    when: 'With order.delivered.',
    emittedBy: 'trading/orders/work/deliver.ts',
    payload: aboutOrder,
  },
  'message.inserted': {
    when: 'A message was posted in the thread.',
    emittedBy: 'trading/threads/insert.ts',
    payload: payloads.messageInserted,
  },
  'delivery.received': {
    when: 'The seller uploaded a file.',
    emittedBy: 'trading/deliveries/keep.ts',
    payload: payloads.deliveryReceived,
  },
  'delivery.notice': {
    when: 'The seller posted a delivery_notice.',
    emittedBy: 'trading/threads/post.ts',
    payload: payloads.deliveryNotice,
  },
  'delivery.notified': {
    when: 'The notice first reached the buyer: a webhook took it, a stream sent it, or the buyer read the thread.',
    emittedBy: 'trading/deliveries/notify.ts',
    payload: aboutMessage,
  },
  'payout.blocked': {
    when: 'The payout waits until its owner verifies a wallet.',
    emittedBy: 'payments/payouts/transition.ts',
    payload: aboutPayout,
  },
  'payout.executed': {
    when: 'The payout is confirmed on chain.',
    emittedBy: 'payments/payouts/transition.ts',
    payload: aboutPayout,
  },
  'payout.failed': {
    when: 'The payout failed, or was made superfluous by what the chain shows.',
    emittedBy: 'payments/payouts/transition.ts',
    payload: aboutPayout,
  },
  'sla.breached': {
    when: 'The seller has not delivered in time.',
    emittedBy: 'trading/orders/work/breach.ts',
    payload: aboutOrder,
  },
  'order.disputed': {
    when: 'A party opened a dispute, or the window to deliver again ended; keyed by the order.',
    emittedBy: 'trading/disputes/open.ts',
    payload: aboutOrder,
  },
  'receipt.disputed': {
    when: 'With order.disputed; keyed by the receipt.',
    emittedBy: 'trading/disputes/open.ts',
    payload: aboutDispute,
  },
  'dispute.opened': {
    when: 'With order.disputed; keyed by the dispute.',
    emittedBy: 'trading/disputes/open.ts',
    payload: payloads.disputeOpened,
  },
  'dispute.flagged_for_human': {
    when: 'A human is to look at the dispute, for these reasons.',
    emittedBy: 'trading/disputes/advance.ts',
    payload: payloads.disputeFlagged,
  },
  'dispute.decided': {
    when: 'With verdict.signed; keyed by the dispute.',
    emittedBy: 'trading/disputes/sign.ts',
    payload: aboutVerdict,
  },
  'verdict.signed': {
    when: 'There is a verdict. An automated one can be appealed.',
    emittedBy: 'trading/disputes/sign.ts',
    payload: aboutVerdict,
  },
  'verdict.resolved': {
    when: 'The money is distributed as the verdict says.',
    emittedBy: 'trading/disputes/close.ts',
    payload: aboutVerdict,
  },
  'appeal.opened': {
    when: 'A party appealed the automated verdict, and its fee is paid: a human decides.',
    emittedBy: 'trading/disputes/appeals.ts',
    payload: payloads.aboutAppeal,
  },
  'webhook.subscription.paused': {
    when: 'The service paused a webhook, because every attempt of a day has failed.',
    emittedBy: 'platform/webhooks/record.ts',
    payload: payloads.webhookPaused,
  },
  'webhook.dead_letter': {
    when: 'A delivery of a webhook was given up. Its own webhook is not told.',
    emittedBy: 'platform/webhooks/record.ts',
    payload: payloads.deadLetter,
  },
  'rating.posted': {
    when: 'The buyer rated the work.',
    emittedBy: 'trading/ratings/rate.ts',
    payload: payloads.ratingPosted,
  },
} as const satisfies Record<string, EventType>

/** Further types of this service. */
const further = {
  'dispute.responded': {
    when: 'The party that did not open the dispute responded.',
    emittedBy: 'trading/disputes/submit.ts',
    payload: aboutDispute,
  },
  'dispute.file_handed_in': {
    when: 'A party handed in a file: as evidence, or to an appeal.',
    emittedBy: 'trading/disputes/evidence/handIn.ts',
    payload: payloads.fileHandedIn,
  },
  'appeal.lapsed': {
    when: 'The fee of an appeal was not paid in time, or the dispute ended before it was.',
    emittedBy: 'trading/disputes/appeals.ts',
    payload: payloads.aboutAppeal,
  },
  'dispute.settled': {
    when: 'The parties agreed on a split, or one of them gave in.',
    emittedBy: 'trading/disputes/end.ts',
    payload: payloads.disputeSettled,
  },
  'order.payment_failed': {
    when: 'An accepted payment could not be made; the order stays as it is.',
    emittedBy: 'trading/orders/payment/failFunding.ts',
    payload: payloads.paymentFailed,
  },
  'order.suspended': {
    when: 'A reorganisation of the chain took the payment back; the money does not move until it is there again.',
    emittedBy: 'trading/orders/record/suspend.ts',
    payload: aboutOrder,
  },
  'order.resumed': {
    when: 'The payment of a suspended order is back, and its windows are longer by that time.',
    emittedBy: 'trading/orders/record/suspend.ts',
    payload: aboutOrder,
  },
  'message.disclosed': {
    when: 'A party gave the service the key of a sealed message.',
    emittedBy: 'trading/threads/disclose.ts',
    payload: payloads.messageDisclosed,
  },
  'proposal.accepted': {
    when: 'A party accepted a proposal of the other.',
    emittedBy: 'trading/threads/accept.ts',
    payload: payloads.proposalAccepted,
  },
  'bid.posted': { when: 'A bid is open.', emittedBy: 'trading/bids/create.ts', payload: aboutBid },
  'bid.closed': { when: 'A bid takes no quotes any more.', emittedBy: 'trading/bids/close.ts', payload: aboutBid },
  'quote.posted': { when: 'A seller answered a bid.', emittedBy: 'trading/bids/quote.ts', payload: aboutQuote },
  'quote.replaced': {
    when: 'The seller made another quote for the same bid.',
    emittedBy: 'trading/bids/quote.ts',
    payload: aboutQuote,
  },
  'quote.withdrawn': {
    when: 'The seller withdrew the quote.',
    emittedBy: 'trading/bids/withdraw.ts',
    payload: aboutQuote,
  },
  'quote.ordered': { when: 'The bidder ordered the quote.', emittedBy: 'trading/bids/take.ts', payload: aboutQuote },
  'payout.reopened': {
    when: 'The owner had a failed payout sent again, to another wallet.',
    emittedBy: 'payments/payouts/reopen.ts',
    payload: payloads.payoutReopened,
  },
  'payout.wallet_chosen': {
    when: 'A payout wallet was chosen; it is used from payout_from on.',
    emittedBy: 'identity/wallets/announcePayoutWallet.ts',
    payload: payloads.walletChosen,
  },
  'payout.wallet_doubted': {
    when: 'After a restore from a backup the owner must confirm the payout wallet.',
    emittedBy: '../cli/stack/restored.ts',
    payload: payloads.aboutWallet,
  },
  'loss.booked': {
    when: 'To operators: an explained loss was booked.',
    emittedBy: 'payments/settlement/explainedLoss.ts',
    payload: payloads.lossBooked,
  },
  'hot_wallet.below_floor': {
    when: 'To operators: the hot wallet fell below its floor.',
    emittedBy: 'payments/reserve/observe.ts',
    payload: hotWalletFloor,
  },
  'hot_wallet.above_floor': {
    when: 'To operators: the hot wallet is above its floor again.',
    emittedBy: 'payments/reserve/observe.ts',
    payload: hotWalletFloor,
  },
} as const satisfies Record<string, EventType>

/** Every type of event. A verb can emit no other. */
export const eventTypes = { ...specified, ...further, ...workspaceTypes }

export type EventTypeName = keyof typeof eventTypes

/** The payload of a type of event. */
export type EventPayload<Type extends EventTypeName> = z.output<(typeof eventTypes)[Type]['payload']>

/** A type of event as it is published: when it is emitted, and the JSON Schema of its envelope. */
export interface PublishedEventType {
  event_type: string
  when: string
  is_specified: boolean
  schema: Record<string, unknown>
}

/** Returns the catalogue in its wire form, for clients and documentation. */
export function publishedEventTypes(): PublishedEventType[] {
  return Object.entries<EventType>(eventTypes).map(([event_type, { when, payload }]) => {
    const envelope = z.object({
      event_id: z.uuid(),
      event_type: z.literal(event_type),
      payload,
      created_at: z.iso.datetime(),
    })
    // As input: clients ignore members that they do not know.
    const schema = z.toJSONSchema(envelope, { io: 'input' }) as Record<string, unknown>
    return { event_type, when, is_specified: !(event_type in further || event_type in workspaceTypes), schema }
  })
}
