import { PATHS } from '../../paths.ts'
import type { PageRoute } from '../../shell/routes.tsx'

/** What anybody may see without an account. */
export const openPages: PageRoute[] = []

export const tradePages: PageRoute[] = [
  { path: PATHS.home, load: () => import('./Home.tsx').then((file) => file.Home) },
  { path: PATHS.orders, load: () => import('./Orders.tsx').then((file) => file.Orders) },
]
