import type { Transition } from '../../db/lifecycle.ts'
import type { WebhookRow } from '../find.ts'

/** The status of a webhook (spec 2.13). */
export type WebhookStatus = WebhookRow['status']

/** The transitions of a webhook's status. Callers check who may make each one (`change.ts`, `disable.ts`). */
export const webhookTransitions = {
  pause: { from: ['active', 'paused'], to: 'paused' },
  resume: { from: ['paused', 'active'], to: 'active' },
  // The service pauses webhooks that fail.
  suspend: { from: ['active'], to: 'paused' },
  disable: { from: ['active', 'paused'], to: 'disabled' },
  enable: { from: ['disabled'], to: 'active' },
} as const satisfies Record<string, Transition<WebhookStatus>>

export type WebhookTransition = keyof typeof webhookTransitions
