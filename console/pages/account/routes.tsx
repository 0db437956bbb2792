import { PATHS } from '../../routing/paths.ts'
import type { PageRoute } from '../../routing/routes.tsx'

export const accountPages: PageRoute[] = [
  { path: PATHS.account, load: () => import('./person/Account.tsx').then((file) => file.Account) },
  { path: PATHS.agents, load: () => import('./agents/Agents.tsx').then((file) => file.Agents) },
  { path: PATHS.agent, load: () => import('./agents/Agent.tsx').then((file) => file.Agent) },
  { path: PATHS.wallets, load: () => import('./wallets/Wallets.tsx').then((file) => file.Wallets) },
  { path: PATHS.events, load: () => import('./events/Events.tsx').then((file) => file.Events) },
]
