import type { Hono } from 'hono'
import { PATHS } from '../console/routing/paths.ts'
import { configHandlers } from './config/handlers.ts'
import { unauthenticated } from './errors.ts'
import { healthHandlers } from './health/handlers.ts'
import { accountHandlers } from './identity/accounts/handlers.ts'
import { holdActiveAgent, lockHuman } from './identity/accounts/owner.ts'
import { authenticate, findEnded } from './identity/authentication/authenticate.ts'
import { enrolmentHandlers } from './identity/enrolments/handlers.ts'
import { erasureHandlers } from './identity/erasure/handlers.ts'
import { exportHandlers } from './identity/exports/handlers.ts'
import { keyHandlers } from './identity/keys/handlers.ts'
import { orgHandlers } from './identity/orgs/handlers.ts'
import { passkeyHandlers } from './identity/passkeys/handlers.ts'
import { pictureHandlers } from './identity/pictures/handlers.ts'
import { sessionHandlers } from './identity/sessions/handlers.ts'
import { ticketHandlers } from './identity/tickets/handlers.ts'
import { tokenHandlers } from './identity/tokens/handlers.ts'
import { walletHandlers } from './identity/wallets/handlers.ts'
import { mcpPage } from './mcp.ts'
import { exportSections, problems } from './modules.ts'
import { feeHandlers } from './payments/appealFees/handlers.ts'
import { ledgerHandlers } from './payments/ledger/handlers.ts'
import { liabilityHandlers } from './payments/liabilities/handlers.ts'
import { paymentLookupHandlers } from './payments/lookup/handlers.ts'
import { payoutHandlers } from './payments/payouts/handlers.ts'
import { reconciliationHandlers } from './payments/reconciliation/handlers.ts'
import { reserveHandlers } from './payments/reserve/handlers.ts'
import { stopHandlers } from './payments/stops/handlers.ts'
import { auditHandlers } from './platform/audit/handlers.ts'
import type { Tx } from './platform/db/pool.ts'
import { pagesOf } from './platform/docs/pages.ts'
import { eventHandlers } from './platform/events/handlers.ts'
import { mount } from './platform/http/listen/mount.ts'
import { documentationHandlers } from './platform/http/openapi/documentation.ts'
import type { RouteDefinition } from './platform/http/route/route.ts'
import type { ServedRoute } from './platform/http/serve/serve.ts'
import type { RequestState, Services } from './platform/http/serve/services.ts'
import { webhookHandlers } from './platform/webhooks/handlers.ts'
import { schema } from './schema.ts'
import { marketHandlers } from './trading/asks/handlers.ts'
import { bidHandlers } from './trading/bids/handlers.ts'
import { deliveryHandlers } from './trading/deliveries/handlers.ts'
import { evidenceHandlers } from './trading/disputes/evidence/handlers.ts'
import { disputeHandlers } from './trading/disputes/handlers.ts'
import { reviewHandlers } from './trading/disputes/reviews/handlers.ts'
import { orderHandlers } from './trading/orders/handlers.ts'
import { oversightHandlers } from './trading/oversight/handlers.ts'
import { ratingHandlers } from './trading/ratings/handlers.ts'
import { receiptHandlers } from './trading/receipts/handlers.ts'
import { reputationHandlers } from './trading/reputation/handlers.ts'
import { searchHandlers } from './trading/search/handlers.ts'
import { threadHandlers } from './trading/threads/handlers.ts'
import { tickerHandlers } from './trading/ticker/handlers.ts'
import { timelineHandlers } from './trading/timeline/handlers.ts'
import { versionAdapters } from './versions/adapt.ts'
import { orgAgentHandlers } from './workspace/agents/handlers.ts'
import { archiveHandlers } from './workspace/archives/handlers.ts'
import { attachmentHandlers } from './workspace/attachments/handlers.ts'
import { commentHandlers } from './workspace/comments/handlers.ts'
import { confirmationHandlers } from './workspace/confirmations/handlers.ts'
import { decisionHandlers } from './workspace/decisions/handlers.ts'
import { importHandlers } from './workspace/imports/handlers.ts'
import { mailHandlers } from './workspace/mails/handlers.ts'
import { mailPages } from './workspace/mails/pages.ts'
import { notificationHandlers } from './workspace/notifications/handlers.ts'
import { pageHandlers } from './workspace/pages/handlers.ts'
import { processingHandlers } from './workspace/processing/handlers.ts'
import { quarantineHandlers } from './workspace/scanning/handlers.ts'
import { workspaceSearchHandlers } from './workspace/search/handlers.ts'
import { secretHandlers } from './workspace/secrets/handlers.ts'
import { servingHandlers } from './workspace/serving/handlers.ts'
import { spaceHandlers } from './workspace/spaces/handlers.ts'
import { findPlaces } from './workspace/spaces/places.ts'
import { taskHandlers } from './workspace/tasks/handlers.ts'
import { overriddenUpload, uploadHandlers, uploadOptions } from './workspace/uploads/handlers.ts'
import { viewHandlers } from './workspace/views/handlers.ts'
import { orgWebhookHandlers } from './workspace/webhooks/handlers.ts'

// A page of another origin that could call these would sign people in, or create keys to their accounts.
const ofPersons: readonly ServedRoute[] = [
  ...passkeyHandlers,
  ...enrolmentHandlers,
  ...sessionHandlers,
  ...ticketHandlers,
]

/** Every route of the market, in the order of its documentation. */
const handlers: readonly ServedRoute[] = [
  ...configHandlers,
  ...accountHandlers,
  ...walletHandlers,
  ...ofPersons,
  ...tokenHandlers,
  ...marketHandlers,
  ...bidHandlers,
  ...searchHandlers,
  ...orderHandlers,
  ...timelineHandlers,
  ...keyHandlers,
  ...threadHandlers,
  ...deliveryHandlers,
  ...evidenceHandlers,
  ...receiptHandlers,
  ...disputeHandlers,
  ...reviewHandlers,
  ...ratingHandlers,
  ...reputationHandlers,
  ...payoutHandlers,
  ...ledgerHandlers,
  ...reserveHandlers,
  ...stopHandlers,
  ...reconciliationHandlers,
  ...auditHandlers,
  ...liabilityHandlers,
  ...feeHandlers,
  ...paymentLookupHandlers,
  ...eventHandlers,
  ...tickerHandlers,
  ...oversightHandlers,
  ...webhookHandlers(holdActiveAgent),
  ...orgHandlers,
  ...pictureHandlers,
  ...exportHandlers(exportSections.length),
  ...erasureHandlers,
  ...orgAgentHandlers,
  ...spaceHandlers,
  ...pageHandlers,
  ...taskHandlers,
  ...viewHandlers,
  ...commentHandlers,
  ...decisionHandlers,
  ...secretHandlers,
  ...importHandlers,
  ...attachmentHandlers,
  ...servingHandlers,
  ...archiveHandlers,
  ...uploadHandlers,
  ...processingHandlers,
  ...workspaceSearchHandlers,
  ...notificationHandlers,
  ...mailHandlers,
  ...quarantineHandlers,
  ...confirmationHandlers,
  ...orgWebhookHandlers,
]

const health = healthHandlers(schema)

/** The definitions of every route that each instance of the market has. */
export const servedRoutes: readonly RouteDefinition[] = [...handlers, ...health].map(({ route }) => route)

/**
 * Builds the HTTP application of the API. A sandbox adds its own handlers; the console is served if it was
 * built.
 */
export function createApp(
  services: Services,
  sandboxHandlers: readonly ServedRoute[] = [],
  consoleFolder?: string,
): Hono<{ Variables: RequestState }> {
  const served = [...handlers, ...sandboxHandlers, ...health]
  const routes = served.map(({ route }) => route)
  return mount(
    { ...services, authenticate, findEnded, findPlaces, lockAccount, versions: versionAdapters },
    [...served, overriddenUpload, ...documentationHandlers(routes, problems, versionAdapters)],
    [
      ...pagesOf(routes, problems, services.settings.web),
      ...mailPages,
      ...uploadOptions(services.settings),
      mcpPage(services),
    ],
    {
      closed: ofPersons.map(({ route }) => route.path),
      console: consoleFolder === undefined ? undefined : { folder: consoleFolder, paths: Object.values(PATHS) },
    },
  )
}

function lockAccount(tx: Tx, humanId: string): Promise<void> {
  return lockHuman(tx, humanId, unauthenticated)
}
