import { createHmac } from 'node:crypto'
import type { SignedRequest } from './family.ts'
import { keyOf } from './secret.ts'

/**
 * Returns the headers of a webhook of the market: those of spec 6.4 and, beside them, those of Standard Webhooks
 * (https://www.standardwebhooks.com). Each has a signature by every secret.
 */
export function marketHeaders({ eventId, eventType, body, secrets, timestamp }: SignedRequest): Record<string, string> {
  // Spec 6.4: the key is the whole secret as text. Standard Webhooks: the key is what follows whsec_, decoded.
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
