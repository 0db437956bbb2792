import { createHmac } from 'node:crypto'
import type { SignedRequest, WebhookFamily } from '../../platform/webhooks/family.ts'
import { requestBody } from './internal/body.ts'

/** The webhooks of orgs (workspace spec 6.2 and 6.3). */
export const orgWebhooks: WebhookFamily = {
  maxAttempts: 8,
  retrySeconds: [5, 15, 60, 180, 600, 1_800, 3_600],
  timeoutSeconds: ({ orgWebhookTimeoutSeconds }) => orgWebhookTimeoutSeconds,
  verdictOf: (status) => {
    if (status >= 200 && status < 300) return 'delivered'
    return status === 410 ? 'gone' : 'retrying'
  },
  mostDeferredSeconds: (status) => (status === 429 || status === 503 ? 3_600 : 0),
  bodyOf: requestBody,
  headersOf,
}

/** One signature for each secret, keyed by the whole secret as text (workspace spec 6.4). */
function headersOf({ deliveryId, eventType, body, secrets, timestamp }: SignedRequest): Record<string, string> {
  const signatures = secrets.map(
    (secret) => `v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`,
  )
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'workspace-webhooks/1',
    'Workspace-Event': eventType,
    'Workspace-Delivery': deliveryId,
    'Workspace-Signature': [`t=${timestamp}`, ...signatures].join(','),
  }
}
