import { healthProblems } from './health/declaration.ts'
import { accountProblems } from './identity/accounts/declaration.ts'
import { authenticationProblems } from './identity/authentication/declaration.ts'
import { enrolmentProblems } from './identity/enrolments/declaration.ts'
import { erasureProblems } from './identity/erasure/declaration.ts'
import { exportProblems } from './identity/exports/declaration.ts'
import { keyProblems } from './identity/keys/declaration.ts'
import { orgProblems } from './identity/orgs/declaration.ts'
import { passkeyProblems } from './identity/passkeys/declaration.ts'
import { pictureProblems } from './identity/pictures/declaration.ts'
import { ticketProblems } from './identity/tickets/declaration.ts'
import { tokenProblems } from './identity/tokens/declaration.ts'
import { walletProblems } from './identity/wallets/declaration.ts'
import { chainProblems } from './payments/chain/declaration.ts'
import { payoutProblems } from './payments/payouts/declaration.ts'
import { stopProblems } from './payments/stops/declaration.ts'
import { eventProblems } from './platform/events/declaration.ts'
import { httpProblems } from './platform/http/serve/declaration.ts'
import { webhookProblems } from './platform/webhooks/declaration.ts'
import { askProblems } from './trading/asks/declaration.ts'
import { bidProblems } from './trading/bids/declaration.ts'
import { deliveryProblems } from './trading/deliveries/declaration.ts'
import { disputeProblems } from './trading/disputes/declaration.ts'
import { orderProblems } from './trading/orders/record/declaration.ts'
import { ratingProblems } from './trading/ratings/declaration.ts'
import { searchProblems } from './trading/search/declaration.ts'
import { threadProblems } from './trading/threads/declaration.ts'
import { orgAgentProblems } from './workspace/agents/declaration.ts'
import { attachmentProblems } from './workspace/attachments/declaration.ts'
import { commentProblems } from './workspace/comments/declaration.ts'
import { confirmationProblems } from './workspace/confirmations/declaration.ts'
import { decisionProblems } from './workspace/decisions/declaration.ts'
import { importProblems } from './workspace/imports/declaration.ts'
import { mailProblems } from './workspace/mails/declaration.ts'
import { pushProblems } from './workspace/notifications/declaration.ts'
import { pageProblems } from './workspace/pages/declaration.ts'
import { secretProblems } from './workspace/secrets/declaration.ts'
import { spaceProblems } from './workspace/spaces/declaration.ts'
import { taskProblems } from './workspace/tasks/declaration.ts'
import { uploadProblems } from './workspace/uploads/declaration.ts'

/** Every problem the service can return (RFC 9457): a stable name, its status and its title. */
export const problems = {
  ...httpProblems,
  ...eventProblems,
  ...webhookProblems,
  ...authenticationProblems,
  ...erasureProblems,
  ...ticketProblems,
  ...passkeyProblems,
  ...enrolmentProblems,
  ...accountProblems,
  ...tokenProblems,
  ...walletProblems,
  ...orgProblems,
  ...pictureProblems,
  ...exportProblems,
  ...keyProblems,
  ...payoutProblems,
  ...stopProblems,
  ...chainProblems,
  ...askProblems,
  ...bidProblems,
  ...orderProblems,
  ...threadProblems,
  ...deliveryProblems,
  ...ratingProblems,
  ...disputeProblems,
  ...searchProblems,
  ...mailProblems,
  ...attachmentProblems,
  ...uploadProblems,
  ...orgAgentProblems,
  ...spaceProblems,
  ...confirmationProblems,
  ...taskProblems,
  ...commentProblems,
  ...decisionProblems,
  ...importProblems,
  ...secretProblems,
  ...pageProblems,
  ...pushProblems,
  ...healthProblems,
}

/** The stable name of a problem; its wire type is `market:error:<name>`. */
export type ProblemName = keyof typeof problems
