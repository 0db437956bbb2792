import { createHmac } from 'node:crypto'
import type { MarketRules, Settings } from '../../context.ts'
import { keyOf } from './secret.ts'

/** The inputs of a signed request. */
export interface SignedRequest {
  deliveryId: string
  eventId: string
  eventType: string
  body: string
  /** The current secret, and during a rotation the one before it. */
  secrets: readonly string[]
  /** Unix seconds of this attempt. */
  timestamp: number
}

/**
 * What happens to a delivery after the receiver's answer. `gone`: the receiver wants no more events,
 * including this one.
 */
export type Verdict = 'delivered' | 'retrying' | 'dead_letter' | 'gone'

/** The content and the retry rules of one kind of webhook. The sender has no other rules. */
export interface WebhookFamily {
  maxAttempts: number
  /** The delay after each failed attempt but the last, in seconds. Up to a tenth is added at random. */
  retrySeconds: readonly number[]
  /** How long an attempt may take in total. */
  timeoutSeconds: (rules: MarketRules) => number
  verdictOf: (status: number) => Verdict
  /**
   * Returns by how many seconds at most a receiver with this answer may delay the next attempt, by
   * Retry-After.
   */
  mostDeferredSeconds: (status: number) => number
  /** Returns the request body: the same bytes at each attempt. */
  bodyOf: (settings: Pick<Settings, 'baseUrl'>, delivery: { id: string; body: string }) => string
  headersOf: (request: SignedRequest) => Record<string, string>
}

/** The kinds of webhooks: those of accounts of the market, and those of orgs. */
export interface WebhookFamilies {
  market: WebhookFamily
  org: WebhookFamily
}

/** The webhooks of the market (spec 6.4). */
export const marketWebhooks: WebhookFamily = {
  maxAttempts: 8,
  retrySeconds: [5, 5, 30, 120, 600, 3_600, 21_600],
  timeoutSeconds: ({ webhookTimeoutSeconds }) => webhookTimeoutSeconds,
  verdictOf: (status) => {
    if (status >= 200 && status < 300) return 'delivered'
    return status >= 400 && status < 500 ? 'dead_letter' : 'retrying'
  },
  // The longest delay of the schedule.
  mostDeferredSeconds: (status) => (status >= 500 ? 21_600 : 0),
  bodyOf: (_settings, { body }) => body,
  headersOf: marketHeaders,
}

/**
 * Returns the headers of a webhook of the market: those of spec 6.4, and those of Standard Webhooks
 * (https://www.standardwebhooks.com). Each has one signature for each secret.
 */
function marketHeaders({ eventId, eventType, body, secrets, timestamp }: SignedRequest): Record<string, string> {
  // Spec 6.4: the key is the whole secret as text. Standard Webhooks: the key is the decoded text after
  // whsec_.
  const ours = secrets.map((secret) => `v1=${hmac(secret, `${timestamp}.${body}`).toString('hex')}`)
  const standard = secrets.map(
    (secret) => `v1,${hmac(keyOf(secret), `${eventId}.${timestamp}.${body}`).toString('base64')}`,
  )
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'market-webhooks/1',
    'Market-Event': eventType,
    'Market-Signature': [`t=${timestamp}`, ...ours].join(','),
    'webhook-id': eventId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': standard.join(' '),
  }
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
