import { canonicalJson, sha256Hex } from '../encoding/canonical.ts'
import { type UrnObject, type UrnPrefix, urnString } from '../encoding/urn.ts'

/** The part of a message that its digest covers. Its URNs may be in either wire form. */
export interface DigestedMessage {
  urn: string | UrnObject
  thread_urn: string | UrnObject
  sender_urn: string | UrnObject
  kind: string
  payload?: Record<string, unknown> | null | undefined
  body?: string | null | undefined
  /** In wire form, for a message of a sealed thread. */
  sealed?: Record<string, unknown> | null | undefined
}

/**
 * Returns the digest of a message's whole content: SHA-256, lowercase hex, of the canonical JSON (RFC 8785)
 * of its URNs as strings, its kind, payload and body (null if absent), and its sealed content if it has any.
 * A party accepts a proposal by this digest, so that it can accept only what it has read.
 */
export function messageSha256(message: DigestedMessage): string {
  return sha256Hex(
    canonicalJson({
      urn: text(message.urn),
      thread_urn: text(message.thread_urn),
      sender_urn: text(message.sender_urn),
      kind: message.kind,
      payload: payloadAsSigned(message.payload),
      body: message.body ?? null,
      ...(message.sealed ? { sealed: message.sealed } : {}),
    }),
  )
}

/** Returns a payload in the form that digests and signatures cover: its URN as a string; null if absent. */
export function payloadAsSigned(payload: Record<string, unknown> | null | undefined): Record<string, unknown> | null {
  const urn = payload?.delivery_urn
  return payload && isDeliveryUrn(urn)
    ? { ...payload, delivery_urn: urnString('delivery', urn.body) }
    : (payload ?? null)
}

// Exactly these members: two different payloads must not have one digest.
function isDeliveryUrn(value: unknown): value is { prefix: 'delivery'; body: string } {
  if (typeof value !== 'object' || value === null || Object.keys(value).length !== 2) return false
  return 'prefix' in value && value.prefix === 'delivery' && 'body' in value && typeof value.body === 'string'
}

function text(urn: string | UrnObject): string {
  return typeof urn === 'string' ? urn : urnString(urn.prefix as UrnPrefix, urn.body)
}
