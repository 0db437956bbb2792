import { configPersonalData } from './config/declaration.ts'
import { healthPersonalData } from './health/declaration.ts'
import { accountPersonalData } from './identity/accounts/declaration.ts'
import { enrolmentPersonalData } from './identity/enrolments/declaration.ts'
import { erasureEvents, erasurePersonalData } from './identity/erasure/declaration.ts'
import { exportPersonalData } from './identity/exports/declaration.ts'
import { keyPersonalData } from './identity/keys/declaration.ts'
import { orgPersonalData } from './identity/orgs/declaration.ts'
import { passkeyPersonalData } from './identity/passkeys/declaration.ts'
import { pictureEvents, picturePersonalData } from './identity/pictures/declaration.ts'
import { sessionPersonalData } from './identity/sessions/declaration.ts'
import { ticketPersonalData } from './identity/tickets/declaration.ts'
import { tokenPersonalData } from './identity/tokens/declaration.ts'
import { walletEvents, walletPersonalData } from './identity/wallets/declaration.ts'
import { appealFeePersonalData } from './payments/appealFees/declaration.ts'
import { chainPersonalData } from './payments/chain/declaration.ts'
import { escrowPersonalData } from './payments/escrow/declaration.ts'
import { ledgerPersonalData } from './payments/ledger/declaration.ts'
import { liabilityPersonalData } from './payments/liabilities/declaration.ts'
import { payoutEvents, payoutPersonalData } from './payments/payouts/declaration.ts'
import { reconciliationPersonalData } from './payments/reconciliation/declaration.ts'
import { reserveEvents, reservePersonalData } from './payments/reserve/declaration.ts'
import { settlementEvents, settlementPersonalData } from './payments/settlement/declaration.ts'
import { stopPersonalData } from './payments/stops/declaration.ts'
import { auditPersonalData } from './platform/audit/declaration.ts'
import { blobPersonalData } from './platform/blobs/declaration.ts'
import { ON_CHAIN, type PersonalData, type Section, type TableRule } from './platform/db/personalDataRule.ts'
import { eventPersonalData } from './platform/events/declaration.ts'
import type { EventTypes } from './platform/events/eventType.ts'
import { answerPersonalData } from './platform/http/serve/declaration.ts'
import { signingPersonalData } from './platform/signing/declaration.ts'
import { webhookEvents, webhookPersonalData } from './platform/webhooks/declaration.ts'
import { askPersonalData } from './trading/asks/declaration.ts'
import { bidEvents, bidPersonalData, quoteEvents } from './trading/bids/declaration.ts'
import { criteriaPersonalData } from './trading/criteria/declaration.ts'
import { deliveryEvents, deliveryPersonalData } from './trading/deliveries/declaration.ts'
import { appealEvents, disputeEvents, disputePersonalData } from './trading/disputes/declaration.ts'
import { orderEvents, orderPersonalData } from './trading/orders/record/declaration.ts'
import { oversightPersonalData } from './trading/oversight/declaration.ts'
import { ratingEvents, ratingPersonalData } from './trading/ratings/declaration.ts'
import { receiptPersonalData } from './trading/receipts/declaration.ts'
import { reputationPersonalData } from './trading/reputation/declaration.ts'
import { searchPersonalData } from './trading/search/declaration.ts'
import { threadEvents, threadPersonalData } from './trading/threads/declaration.ts'
import { agentEvents } from './workspace/agents/declaration.ts'
import { attachmentEvents, attachmentNotices, attachmentPersonalData } from './workspace/attachments/declaration.ts'
import { commentEvents, commentNotices, commentPersonalData } from './workspace/comments/declaration.ts'
import { confirmationNotices, confirmationPersonalData } from './workspace/confirmations/declaration.ts'
import { decisionEvents, decisionNotices, decisionPersonalData } from './workspace/decisions/declaration.ts'
import { importEvents, importNotices, importPersonalData } from './workspace/imports/declaration.ts'
import { mailPersonalData } from './workspace/mails/declaration.ts'
import { memberEvents, memberNotices } from './workspace/members/declaration.ts'
import { erasureNotices, notificationPersonalData } from './workspace/notifications/declaration.ts'
import { noticesOf } from './workspace/notifications/kinds.ts'
import { pageEvents, pageNotices, pagePersonalData } from './workspace/pages/declaration.ts'
import { processingPersonalData } from './workspace/processing/declaration.ts'
import { workspaceSearchPersonalData } from './workspace/search/declaration.ts'
import { secretEvents, secretNotices, secretPersonalData } from './workspace/secrets/declaration.ts'
import { spaceEvents, spacePersonalData } from './workspace/spaces/declaration.ts'
import { taskEvents, taskNotices, taskPersonalData } from './workspace/tasks/declaration.ts'
import { uploadPersonalData } from './workspace/uploads/declaration.ts'
import { viewEvents, viewPersonalData } from './workspace/views/declaration.ts'
import { webhookNotices } from './workspace/webhooks/declaration.ts'

/** Every type of event. */
export const eventTypes: EventTypes = {
  ...walletEvents,
  ...erasureEvents,
  ...pictureEvents,
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
  ...viewEvents,
}

/** Every kind of notification. */
export const noticeKinds: Readonly<Record<string, { title: string }>> = {
  ...noticesOf(eventTypes),
  ...attachmentNotices,
  ...confirmationNotices,
  ...pageNotices,
  ...commentNotices,
  ...decisionNotices,
  ...importNotices,
  ...secretNotices,
  ...memberNotices,
  ...taskNotices,
  ...webhookNotices,
  ...erasureNotices,
}

// The facilitator imports nothing of the api, so the rules for personal data in its tables are here.
const facilitatorPersonalData: PersonalData = {
  tables: {
    'facilitator.heartbeat': { plain: ['singleton', 'beat_at'] },
    'facilitator.transactions': {
      kept: { because: ON_CHAIN, columns: ['hash', 'raw'] },
      plain: ['intent_id', 'signer', 'nonce', 'created_at', 'valid_before', 'owner_id', 'charged_wei'],
    },
    'facilitator.authorizations': {
      kept: { because: ON_CHAIN, columns: ['nonce', 'recipient', 'signature'] },
      plain: ['number', 'previous', 'leg', 'valid_before', 'amount_micros', 'hash', 'seal'],
    },
    'facilitator.wallet_sights': {
      kept: { because: ON_CHAIN, columns: ['wallet', 'from_wallet'] },
      plain: ['id', 'owner_id', 'seen_at', 'due_at', 'signature'],
    },
    'facilitator.rejected_wallets': {
      kept: { because: ON_CHAIN, columns: ['wallet'] },
      plain: ['owner_id', 'rejected_at'],
    },
    'facilitator.first_sights': {
      plain: [
        'number',
        'subject',
        'payer_micros',
        'payee_micros',
        'seen_at',
        'due_at',
        'signature',
        'payer',
        'payee',
        'is_announced',
      ],
    },
    'facilitator.identities': { plain: ['number', 'previous', 'identity', 'signs_from', 'hash', 'seal'] },
    'facilitator.leases': { plain: ['key', 'holder', 'fencing', 'ends_at'] },
    'facilitator.restores': { plain: ['id', 'recorded_at'] },
    'facilitator.outcomes': { plain: ['intent_id', 'status', 'reason', 'tx_hash', 'decided_at'] },
  },
}

// Tables that refer to another come before it. Memberships of orgs come after the tables that are found
// through them.
const personalData: readonly PersonalData[] = [
  accountPersonalData,
  erasurePersonalData,
  picturePersonalData,
  sessionPersonalData,
  passkeyPersonalData,
  ticketPersonalData,
  enrolmentPersonalData,
  tokenPersonalData,
  walletPersonalData,
  answerPersonalData,
  exportPersonalData,
  uploadPersonalData,
  attachmentPersonalData,
  processingPersonalData,
  workspaceSearchPersonalData,
  commentPersonalData,
  decisionPersonalData,
  importPersonalData,
  secretPersonalData,
  taskPersonalData,
  viewPersonalData,
  pagePersonalData,
  spacePersonalData,
  orgPersonalData,
  askPersonalData,
  searchPersonalData,
  bidPersonalData,
  orderPersonalData,
  threadPersonalData,
  deliveryPersonalData,
  criteriaPersonalData,
  disputePersonalData,
  ratingPersonalData,
  reputationPersonalData,
  blobPersonalData,
  keyPersonalData,
  escrowPersonalData,
  webhookPersonalData,
  notificationPersonalData,
  confirmationPersonalData,
  mailPersonalData,
  auditPersonalData,
  configPersonalData,
  signingPersonalData,
  eventPersonalData,
  receiptPersonalData,
  oversightPersonalData,
  chainPersonalData,
  appealFeePersonalData,
  payoutPersonalData,
  reservePersonalData,
  stopPersonalData,
  settlementPersonalData,
  reconciliationPersonalData,
  liabilityPersonalData,
  ledgerPersonalData,
  healthPersonalData,
  facilitatorPersonalData,
]

/** The rule of every table, in the order in which erasure applies them. */
export const tableRules: readonly [table: string, rule: TableRule][] = personalData.flatMap(({ tables }) =>
  Object.entries(tables),
)

/** All data that an account has or was sent, in the order of an export's file. */
export const exportSections: readonly Section[] = personalData.flatMap(({ sections = [] }) => sections)
