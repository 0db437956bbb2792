import { canonicalJson, sha256Hex } from './canonical.ts'
import { type UrnObject, type UrnPrefix, urnString } from './urn.ts'

/** A message as far as its digest goes. Its URNs may be in either wire form. */
export interface DigestedMessage {
  urn: string | UrnObject
  thread_urn: string | UrnObject
  sender_urn: string | UrnObject
  kind: string
  payload: Record<string, unknown> | null
  body: string | null
  /** As it travels, for a message of a sealed thread. */
  sealed?: Record<string, unknown> | null
}

/**
 * What names everything a message says: SHA-256, lowercase hex, of the canonical JSON (RFC 8785) of its URNs as strings,
 * its kind, payload and body, and where there is one its sealed content. Who accepts a proposal names it by this, so that nobody accepts what they have not read.
 */
export function messageSha256(message: DigestedMessage): string {
  return sha256Hex(
    canonicalJson({
      urn: text(message.urn),
      thread_urn: text(message.thread_urn),
      sender_urn: text(message.sender_urn),
      kind: message.kind,
      payload: message.payload,
      body: message.body,
      ...(message.sealed ? { sealed: message.sealed } : {}),
    }),
  )
}

function text(urn: string | UrnObject): string {
  return typeof urn === 'string' ? urn : urnString(urn.prefix as UrnPrefix, urn.body)
}
