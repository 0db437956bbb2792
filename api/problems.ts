import { groundProblems, type ProblemType } from './errors.ts'
import { accountProblems } from './identity/accounts/problems.ts'
import { enrolmentProblems } from './identity/enrolments/problems.ts'
import { erasureProblems } from './identity/erasure/problems.ts'
import { exportProblems } from './identity/exports/problems.ts'
import { keyProblems } from './identity/keys/problems.ts'
import { orgProblems } from './identity/orgs/problems.ts'
import { passkeyProblems } from './identity/passkeys/problems.ts'
import { pictureProblems } from './identity/pictures/problems.ts'
import { ticketProblems } from './identity/tickets/problems.ts'
import { tokenProblems } from './identity/tokens/problems.ts'
import { walletProblems } from './identity/wallets/problems.ts'
import { chainProblems } from './payments/chain/problems.ts'
import { payoutProblems } from './payments/payouts/problems.ts'
import { stopProblems } from './payments/stops/problems.ts'
import { eventProblems } from './platform/events/problems.ts'
import { httpProblems } from './platform/http/serve/problems.ts'
import { webhookProblems } from './platform/webhooks/problems.ts'
import { askProblems } from './trading/asks/problems.ts'
import { bidProblems } from './trading/bids/problems.ts'
import { deliveryProblems } from './trading/deliveries/problems.ts'
import { disputeProblems } from './trading/disputes/problems.ts'
import { orderProblems } from './trading/orders/record/problems.ts'
import { ratingProblems } from './trading/ratings/problems.ts'
import { searchProblems } from './trading/search/problems.ts'
import { threadProblems } from './trading/threads/problems.ts'
import { orgAgentProblems } from './workspace/agents/problems.ts'
import { attachmentProblems } from './workspace/attachments/problems.ts'
import { commentProblems } from './workspace/comments/problems.ts'
import { confirmationProblems } from './workspace/confirmations/problems.ts'
import { decisionProblems } from './workspace/decisions/problems.ts'
import { importProblems } from './workspace/imports/problems.ts'
import { mailProblems } from './workspace/mails/problems.ts'
import { pushProblems } from './workspace/notifications/problems.ts'
import { pageProblems } from './workspace/pages/problems.ts'
import { secretProblems } from './workspace/secrets/problems.ts'
import { spaceProblems } from './workspace/spaces/problems.ts'
import { taskProblems } from './workspace/tasks/problems.ts'
import { uploadProblems } from './workspace/uploads/problems.ts'

/** Every type of problem that the service answers with (RFC 9457). */
export const problems: readonly ProblemType[] = [
  httpProblems,
  eventProblems,
  webhookProblems,
  groundProblems,
  erasureProblems,
  ticketProblems,
  passkeyProblems,
  enrolmentProblems,
  accountProblems,
  tokenProblems,
  walletProblems,
  orgProblems,
  pictureProblems,
  exportProblems,
  keyProblems,
  payoutProblems,
  stopProblems,
  chainProblems,
  askProblems,
  bidProblems,
  orderProblems,
  threadProblems,
  deliveryProblems,
  ratingProblems,
  disputeProblems,
  searchProblems,
  mailProblems,
  attachmentProblems,
  uploadProblems,
  orgAgentProblems,
  spaceProblems,
  confirmationProblems,
  taskProblems,
  commentProblems,
  decisionProblems,
  importProblems,
  secretProblems,
  pageProblems,
  pushProblems,
].flatMap((types): ProblemType[] => Object.values(types))
