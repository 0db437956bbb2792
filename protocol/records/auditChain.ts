import { sha256 } from '#sha256'
import { concatBytes } from '../encoding/bytes.ts'
import { canonicalBytes } from '../encoding/canonical.ts'

/** The content of an audit entry: URN strings, an action, and the time in ISO 8601 with milliseconds, UTC. */
export interface AuditContent {
  actor: string
  action: string
  subject: string
  details: Record<string, unknown> | null
  created_at: string
}

/** The link before the first entry: 32 zero bytes. */
export const AUDIT_GENESIS: Uint8Array = new Uint8Array(32)

/**
 * Returns the digest of an entry in the chain: SHA-256(salt ‖ canonical JSON of the content, RFC 8785).
 * Anyone with the content and its salt can verify it; without the salt it reveals nothing, not even to a
 * reader who guesses the content.
 */
export function auditDigest(content: AuditContent, salt: Uint8Array): Uint8Array {
  const { actor, action, subject, details, created_at } = content
  return sha256(concatBytes(salt, canonicalBytes({ actor, action, subject, details, created_at })))
}

/** Returns the chain's hash at an entry: SHA-256(hash at the entry before ‖ digest). */
export function auditLink(before: Uint8Array, digest: Uint8Array): Uint8Array {
  return sha256(concatBytes(before, digest))
}
