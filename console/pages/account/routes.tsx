import { PATHS } from '../../routing/paths.ts'
import type { PageRoute } from '../../routing/routes.tsx'

export const accountPages: PageRoute[] = [
  { path: PATHS.account, load: () => import('./Account.tsx').then((file) => file.Account) },
  { path: PATHS.agents, load: () => import('./Agents.tsx').then((file) => file.Agents) },
  { path: PATHS.agent, load: () => import('./Agent.tsx').then((file) => file.Agent) },
  { path: PATHS.wallets, load: () => import('./Wallets.tsx').then((file) => file.Wallets) },
  { path: PATHS.events, load: () => import('./Events.tsx').then((file) => file.Events) },
]
