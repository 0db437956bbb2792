import { PATHS } from '../../routing/paths.ts'
import type { PageRoute } from '../../routing/routes.tsx'

export const webhookPages: PageRoute[] = [
  { path: PATHS.webhooks, load: () => import('./internal/Webhooks.tsx').then((file) => file.Webhooks) },
  { path: PATHS.webhook, load: () => import('./internal/Webhook.tsx').then((file) => file.Webhook) },
  { path: PATHS.adminWebhooks, load: () => import('./internal/AdminWebhooks.tsx').then((file) => file.AdminWebhooks) },
]
