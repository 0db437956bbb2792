import {
  AgentDeactivated,
  ErasureChanged,
  HumanCreated,
  InvitationChanged,
  MembershipChanged,
  WalletVerified,
} from './identity/announcements.ts'
import { AppealFeePaid } from './payments/appealFees/announcements.ts'
import {
  FundingRestored,
  FundingReversed,
  HoldFunded,
  HoldReclaimed,
  HoldReleased,
  PaymentFailed,
} from './payments/escrow/announcements.ts'
import { openPayable } from './payments/ledger/balances.ts'
import { assetKey } from './payments/ledger/post.ts'
import { unblockPayouts } from './payments/payouts/unblock.ts'
import { on, type Reaction } from './platform/announcements/announce.ts'
import { EventReceived } from './platform/events/announcements.ts'
import { OrgWebhookStopped } from './platform/webhooks/announcements.ts'
import { disableWebhooksOf } from './platform/webhooks/disable.ts'
import { endOffers } from './trading/bids/close.ts'
import { notifyBuyer } from './trading/deliveries/notify.ts'
import { openAppeal } from './trading/disputes/appeals/appeals.ts'
import { VerdictSigned } from './trading/disputes/record/announcements.ts'
import { agreeOnSplit, closeDispute, extendDispute, giveUp } from './trading/disputes/work/end.ts'
import { announceFailedFunding, confirmFunding } from './trading/orders/payment/confirmFunding.ts'
import {
  DisputeGivenUp,
  OrderAccepted,
  OrderClosed,
  OrderDelivered,
  OrderFunded,
  OrderRejected,
  OrderSettled,
} from './trading/orders/record/announcements.ts'
import { resumeOrder, suspendOrder } from './trading/orders/record/transition.ts'
import { closeOrder, closeReclaimed } from './trading/orders/work/close.ts'
import { finalizeReceipt } from './trading/receipts/finalize.ts'
import { recordReputation } from './trading/reputation/record.ts'
import { RemedyAccepted } from './trading/threads/announcements.ts'
import { announceInvitation, announceMembership } from './workspace/members/announce.ts'
import { tellOfErasure } from './workspace/notifications/erasure.ts'
import { acceptTask, beginTask, deliverTask, endTask, refuseTask } from './workspace/tasks/follow.ts'
import { unassignLeaver } from './workspace/tasks/unassign.ts'
import { tellWebhookStopped, tellWebhooksHeld } from './workspace/webhooks/tellStopped.ts'

/**
 * Each room's reactions to announcements of other rooms, run in the announcing transaction and in this order.
 * The announcing room does not know which rooms react.
 */
export const reactions: readonly Reaction[] = [
  on(HumanCreated, (tx, { chain }, { humanId }) => openPayable(tx, assetKey(chain), humanId)),
  on(WalletVerified, (tx, _settings, { accountId, ownerId }) => unblockPayouts(tx, accountId, ownerId)),
  on(AgentDeactivated, (tx, _settings, { agentId }) => endOffers(tx, agentId)),
  on(AgentDeactivated, (tx, _settings, { agentId }) => disableWebhooksOf(tx, agentId)),
  on(MembershipChanged, (tx, _settings, announced) => announceMembership(tx, announced)),
  on(MembershipChanged, (tx, _settings, announced) => unassignLeaver(tx, announced)),
  on(InvitationChanged, (tx, _settings, announced) => announceInvitation(tx, announced)),
  on(MembershipChanged, (tx, _settings, { orgId, humanId }) => tellWebhooksHeld(tx, orgId, { humanId })),
  on(ErasureChanged, (tx, _settings, changed) => tellOfErasure(tx, changed)),
  on(EventReceived, (tx, _settings, received) => notifyBuyer(tx, received)),
  on(OrgWebhookStopped, (tx, _settings, stopped) => tellWebhookStopped(tx, stopped)),
  on(HoldFunded, confirmFunding),
  on(AppealFeePaid, openAppeal),
  on(PaymentFailed, (tx, _settings, announced) => announceFailedFunding(tx, announced)),
  on(HoldReleased, closeDispute),
  on(HoldReclaimed, closeDispute),
  on(HoldReleased, closeOrder),
  on(HoldReclaimed, closeReclaimed),
  on(DisputeGivenUp, (tx, settings, { order, party }) => giveUp(tx, { settings }, order, party)),
  on(RemedyAccepted, (tx, settings, { order, refundMicros }) => agreeOnSplit(tx, settings, order, refundMicros)),
  on(OrderSettled, (tx, settings, { order, ...finality }) => finalizeReceipt(tx, settings, order, finality)),
  // A task of the workspace that was offered as a bid follows the state of its order, in the order's
  // transaction.
  on(OrderFunded, (tx, _settings, { order }) => beginTask(tx, order)),
  on(OrderDelivered, (tx, _settings, { order }) => deliverTask(tx, order)),
  on(OrderAccepted, (tx, _settings, { order, by }) => acceptTask(tx, order, by)),
  on(OrderRejected, (tx, _settings, { order, reason }) => refuseTask(tx, order, reason)),
  on(OrderClosed, (tx, _settings, { order, refundMicros }) => endTask(tx, order, refundMicros)),
  on(VerdictSigned, (tx, settings, { orderId }) => recordReputation(tx, settings, orderId)),
  on(FundingReversed, (tx, _settings, { order }) => suspendOrder(tx, order.id)),
  on(FundingRestored, (tx, _settings, { order }) => extendDispute(tx, order.id)),
  on(FundingRestored, (tx, _settings, { order }) => resumeOrder(tx, order.id)),
]
