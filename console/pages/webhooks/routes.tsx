import { PATHS } from '../../routing/paths.ts'
import type { PageRoute } from '../../routing/routes.tsx'

export const webhookPages: PageRoute[] = [
  { path: PATHS.webhooks, load: () => import('./Webhooks.tsx').then((file) => file.Webhooks) },
  { path: PATHS.webhook, load: () => import('./Webhook.tsx').then((file) => file.Webhook) },
  { path: PATHS.adminWebhooks, load: () => import('./AdminWebhooks.tsx').then((file) => file.AdminWebhooks) },
]
