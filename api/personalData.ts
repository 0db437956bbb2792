import { configPersonalData } from './config/personalData.ts'
import { healthPersonalData } from './health/personalData.ts'
import { accountPersonalData } from './identity/accounts/personalData.ts'
import { enrolmentPersonalData } from './identity/enrolments/personalData.ts'
import { exportPersonalData } from './identity/exports/personalData.ts'
import { keyPersonalData } from './identity/keys/personalData.ts'
import { orgPersonalData } from './identity/orgs/personalData.ts'
import { passkeyPersonalData } from './identity/passkeys/personalData.ts'
import { sessionPersonalData } from './identity/sessions/personalData.ts'
import { ticketPersonalData } from './identity/tickets/personalData.ts'
import { tokenPersonalData } from './identity/tokens/personalData.ts'
import { walletPersonalData } from './identity/wallets/personalData.ts'
import { appealFeePersonalData } from './payments/appealFees/personalData.ts'
import { chainPersonalData } from './payments/chain/personalData.ts'
import { escrowPersonalData } from './payments/escrow/personalData.ts'
import { ledgerPersonalData } from './payments/ledger/personalData.ts'
import { liabilityPersonalData } from './payments/liabilities/personalData.ts'
import { payoutPersonalData } from './payments/payouts/personalData.ts'
import { reconciliationPersonalData } from './payments/reconciliation/personalData.ts'
import { reservePersonalData } from './payments/reserve/personalData.ts'
import { settlementPersonalData } from './payments/settlement/personalData.ts'
import { stopPersonalData } from './payments/stops/personalData.ts'
import { auditPersonalData } from './platform/audit/personalData.ts'
import { blobPersonalData } from './platform/blobs/personalData.ts'
import { ON_CHAIN, type PersonalData, type Section, type TableRule } from './platform/db/personalDataRule.ts'
import { eventPersonalData } from './platform/events/personalData.ts'
import { answerPersonalData } from './platform/http/serve/personalData.ts'
import { signingPersonalData } from './platform/signing/personalData.ts'
import { webhookPersonalData } from './platform/webhooks/personalData.ts'
import { askPersonalData } from './trading/asks/personalData.ts'
import { bidPersonalData } from './trading/bids/personalData.ts'
import { criteriaPersonalData } from './trading/criteria/personalData.ts'
import { deliveryPersonalData } from './trading/deliveries/personalData.ts'
import { disputePersonalData } from './trading/disputes/personalData.ts'
import { orderPersonalData } from './trading/orders/record/personalData.ts'
import { ratingPersonalData } from './trading/ratings/personalData.ts'
import { receiptPersonalData } from './trading/receipts/personalData.ts'
import { reputationPersonalData } from './trading/reputation/personalData.ts'
import { searchPersonalData } from './trading/search/personalData.ts'
import { threadPersonalData } from './trading/threads/personalData.ts'
import { attachmentPersonalData } from './workspace/attachments/personalData.ts'
import { commentPersonalData } from './workspace/comments/personalData.ts'
import { confirmationPersonalData } from './workspace/confirmations/personalData.ts'
import { decisionPersonalData } from './workspace/decisions/personalData.ts'
import { importPersonalData } from './workspace/imports/personalData.ts'
import { mailPersonalData } from './workspace/mails/personalData.ts'
import { notificationPersonalData } from './workspace/notifications/personalData.ts'
import { pagePersonalData } from './workspace/pages/personalData.ts'
import { processingPersonalData } from './workspace/processing/personalData.ts'
import { workspaceSearchPersonalData } from './workspace/search/personalData.ts'
import { secretPersonalData } from './workspace/secrets/personalData.ts'
import { spacePersonalData } from './workspace/spaces/personalData.ts'
import { taskPersonalData } from './workspace/tasks/personalData.ts'
import { uploadPersonalData } from './workspace/uploads/personalData.ts'

// The facilitator imports nothing of the api, so what its tables have of persons stands here.
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
    'facilitator.first_sights': {
      plain: ['number', 'subject', 'payer_micros', 'payee_micros', 'seen_at', 'due_at', 'signature'],
    },
    'facilitator.identities': { plain: ['number', 'previous', 'identity', 'signs_from', 'hash', 'seal'] },
    'facilitator.leases': { plain: ['key', 'holder', 'fencing', 'ends_at'] },
    'facilitator.restores': { plain: ['id', 'recorded_at'] },
    'facilitator.outcomes': { plain: ['intent_id', 'status', 'reason', 'tx_hash', 'decided_at'] },
  },
}

// What refers to something comes before it, and memberships of orgs after what they lead to.
const personalData: readonly PersonalData[] = [
  accountPersonalData,
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

/** Everything an account has or was sent, in the order of an export's file. */
export const exportSections: readonly Section[] = personalData.flatMap(({ sections = [] }) => sections)
