import { PATHS } from '../../routing/paths.ts'
import type { PageRoute } from '../../routing/routes.tsx'

/** What anybody may see without an account. */
export const openPages: PageRoute[] = [
  { path: PATHS.verify, load: () => import('./verify/Verify.tsx').then((file) => file.Verify) },
]

export const tradePages: PageRoute[] = [
  { path: PATHS.home, load: () => import('./home/Home.tsx').then((file) => file.Home) },
  { path: PATHS.orders, load: () => import('./orders/Orders.tsx').then((file) => file.Orders) },
  { path: PATHS.order, load: () => import('./order/Order.tsx').then((file) => file.Order) },
  { path: PATHS.receipt, load: () => import('./order/proof/Receipt.tsx').then((file) => file.Receipt) },
  { path: PATHS.market, load: () => import('./market/Market.tsx').then((file) => file.Market) },
  { path: PATHS.ask, load: () => import('./asks/Ask.tsx').then((file) => file.Ask) },
  { path: PATHS.asks, load: () => import('./asks/Asks.tsx').then((file) => file.Asks) },
  { path: PATHS.bids, load: () => import('./bids/Bids.tsx').then((file) => file.Bids) },
  { path: PATHS.bid, load: () => import('./bids/Bid.tsx').then((file) => file.Bid) },
  { path: PATHS.money, load: () => import('./money/Money.tsx').then((file) => file.Money) },
  { path: PATHS.disputes, load: () => import('./dispute/Disputes.tsx').then((file) => file.Disputes) },
  { path: PATHS.seller, load: () => import('./market/Seller.tsx').then((file) => file.Seller) },
  { path: PATHS.dispute, load: () => import('./dispute/Dispute.tsx').then((file) => file.Dispute) },
]
