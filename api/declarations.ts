import { walletEvents } from './identity/wallets/events.ts'
import { payoutEvents } from './payments/payouts/events.ts'
import { reserveEvents } from './payments/reserve/events.ts'
import { settlementEvents } from './payments/settlement/events.ts'
import type { EventTypes } from './platform/events/eventType.ts'
import { webhookEvents } from './platform/webhooks/events.ts'
import { bidEvents, quoteEvents } from './trading/bids/events.ts'
import { deliveryEvents } from './trading/deliveries/events.ts'
import { appealEvents, disputeEvents } from './trading/disputes/events.ts'
import { orderEvents } from './trading/orders/record/events.ts'
import { ratingEvents } from './trading/ratings/events.ts'
import { threadEvents } from './trading/threads/events.ts'
import { agentEvents } from './workspace/agents/events.ts'
import { attachmentEvents, attachmentNotices } from './workspace/attachments/events.ts'
import { commentEvents, commentNotices } from './workspace/comments/events.ts'
import { confirmationNotices } from './workspace/confirmations/events.ts'
import { decisionEvents, decisionNotices } from './workspace/decisions/events.ts'
import { importEvents, importNotices } from './workspace/imports/events.ts'
import { memberEvents } from './workspace/members/events.ts'
import type { NoticeKinds } from './workspace/notifications/kinds.ts'
import { pageEvents } from './workspace/pages/events.ts'
import { secretEvents, secretNotices } from './workspace/secrets/events.ts'
import { spaceEvents } from './workspace/spaces/events.ts'
import { taskEvents, taskNotices } from './workspace/tasks/events.ts'
import { webhookNotices } from './workspace/webhooks/events.ts'

/** Every type of event. */
export const eventTypes: EventTypes = {
  ...walletEvents,
  ...payoutEvents,
  ...settlementEvents,
  ...reserveEvents,
  ...webhookEvents,
  ...bidEvents,
  ...quoteEvents,
  ...orderEvents,
  ...deliveryEvents,
  ...threadEvents,
  ...disputeEvents,
  ...appealEvents,
  ...ratingEvents,
  ...spaceEvents,
  ...memberEvents,
  ...agentEvents,
  ...pageEvents,
  ...taskEvents,
  ...commentEvents,
  ...decisionEvents,
  ...importEvents,
  ...secretEvents,
  ...attachmentEvents,
}

/** Every kind of notification. */
export const noticeKinds: NoticeKinds = {
  ...attachmentNotices,
  ...confirmationNotices,
  ...commentNotices,
  ...decisionNotices,
  ...importNotices,
  ...secretNotices,
  ...taskNotices,
  ...webhookNotices,
}
