import type { Hono } from 'hono'
import { accountHandlers } from './accounts/handlers.ts'
import { auditHandlers } from './audit/handlers.ts'
import { bidHandlers } from './bids/handlers.ts'
import { configHandlers } from './config/handlers.ts'
import { deliveryHandlers } from './deliveries/handlers.ts'
import { enrolmentHandlers } from './enrolments/handlers.ts'
import { erasureHandlers } from './erasure/handlers.ts'
import { exportHandlers } from './exports/handlers.ts'
import { healthHandlers } from './health/handlers.ts'
import { documentationHandlers } from './http/documentation.ts'
import { mount } from './http/mount.ts'
import { pagesOf } from './http/pages.ts'
import type { RouteDefinition } from './http/route.ts'
import type { RequestState, ServedRoute, Services } from './http/serve.ts'
import { keyHandlers } from './keys/handlers.ts'
import { ledgerHandlers } from './ledger/handlers.ts'
import { liabilityHandlers } from './liabilities/handlers.ts'
import { marketHandlers } from './market/handlers.ts'
import { orderHandlers } from './orders/handlers.ts'
import { orgHandlers } from './orgs/handlers.ts'
import { passkeyHandlers } from './passkeys/handlers.ts'
import { payoutHandlers } from './payouts/handlers.ts'
import { receiptHandlers } from './receipts/handlers.ts'
import { reconciliationHandlers } from './reconciliation/handlers.ts'
import { reserveHandlers } from './reserve/handlers.ts'
import { searchHandlers } from './search/handlers.ts'
import { sessionHandlers } from './sessions/handlers.ts'
import { stopHandlers } from './stops/handlers.ts'
import { threadHandlers } from './threads/handlers.ts'
import { tickerHandlers } from './ticker/handlers.ts'
import { ticketHandlers } from './tickets/handlers.ts'
import { tokenHandlers } from './tokens/handlers.ts'

/** Every route of the market, in the order of its documentation. */
const handlers: readonly ServedRoute[] = [
  ...configHandlers,
  ...accountHandlers,
  ...passkeyHandlers,
  ...enrolmentHandlers,
  ...sessionHandlers,
  ...ticketHandlers,
  ...tokenHandlers,
  ...marketHandlers,
  ...bidHandlers,
  ...searchHandlers,
  ...orderHandlers,
  ...keyHandlers,
  ...threadHandlers,
  ...deliveryHandlers,
  ...receiptHandlers,
  ...payoutHandlers,
  ...ledgerHandlers,
  ...reserveHandlers,
  ...stopHandlers,
  ...reconciliationHandlers,
  ...auditHandlers,
  ...liabilityHandlers,
  ...tickerHandlers,
  ...orgHandlers,
  ...exportHandlers,
  ...erasureHandlers,
]

/** The definitions of every route that each instance of the market has. */
export const servedRoutes: readonly RouteDefinition[] = [...handlers, ...healthHandlers].map(({ route }) => route)

/** The API as an HTTP application. A sandbox brings further handlers of its own. */
export function createApp(
  services: Services,
  sandboxHandlers: readonly ServedRoute[] = [],
): Hono<{ Variables: RequestState }> {
  const served = [...handlers, ...sandboxHandlers, ...healthHandlers]
  const routes = served.map(({ route }) => route)
  return mount(services, [...served, ...documentationHandlers(routes)], pagesOf(routes))
}
