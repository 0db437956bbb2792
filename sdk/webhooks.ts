const TOLERANCE_SECONDS = 300
const HEX_SHA256 = /^[0-9a-f]{64}$/i
const encoder = new TextEncoder()

/**
 * An event in the form of every channel (spec 6.2). `event_id` is the same whenever the event is sent again.
 */
export interface WebhookEvent {
  event_id: string
  event_type: string
  payload: Record<string, unknown>
  created_at: string
}

/** A webhook request as it was received. */
export interface ReceivedWebhook {
  /** The body's bytes, or their text: as received, before any parsing. */
  body: string | Uint8Array<ArrayBuffer>
  /** The header Market-Signature. */
  signature: string | null | undefined
  /** The secret of the webhook: `whsec_…`. */
  secret: string
  /** How far the signature's time may be from now, in either direction; 300 by default. */
  toleranceSeconds?: number
  /** The time of the receiver, in Unix seconds; by default that of its clock. */
  nowSeconds?: number
}

/** A webhook request that must not be trusted. */
export class WebhookSignatureError extends Error {
  override readonly name = 'WebhookSignatureError'
}

/**
 * Verifies a webhook request and returns its event. Works in Node and in browsers. Throws a
 * WebhookSignatureError if the header is missing or malformed, if its time is too far from now, or if none of
 * its signatures is of this secret.
 */
export async function verifyWebhook({
  body,
  signature,
  secret,
  toleranceSeconds = TOLERANCE_SECONDS,
  nowSeconds = Date.now() / 1000,
}: ReceivedWebhook): Promise<WebhookEvent> {
  const { timestamp, digests } = readHeader(signature)
  if (Math.abs(nowSeconds - timestamp) > toleranceSeconds) {
    throw new WebhookSignatureError('the time of the signature is too far from now')
  }
  const bytes = typeof body === 'string' ? encoder.encode(body) : body
  const prefix = encoder.encode(`${timestamp}.`)
  const signed = new Uint8Array(prefix.length + bytes.length)
  signed.set(prefix)
  signed.set(bytes, prefix.length)
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ])
  // Web Cryptography compares in constant time.
  const matches = await Promise.all(digests.map((digest) => crypto.subtle.verify('HMAC', key, digest, signed)))
  if (!matches.includes(true)) throw new WebhookSignatureError('no signature is of this secret and body')
  return JSON.parse(new TextDecoder().decode(bytes))
}

function readHeader(header: string | null | undefined) {
  const members = (header ?? '').split(',').map((part) => part.trim().split('=', 2))
  const valuesOf = (name: string) => members.flatMap(([key, value]) => (key === name && value ? [value] : []))
  const [time = '', ...others] = valuesOf('t')
  const digests = valuesOf('v1').filter((text) => HEX_SHA256.test(text))
  if (!/^[0-9]{1,12}$/.test(time) || others.length > 0 || digests.length === 0) {
    throw new WebhookSignatureError('the header Market-Signature is missing or malformed')
  }
  return { timestamp: Number(time), digests: digests.map(bytesOf) }
}

function bytesOf(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}
