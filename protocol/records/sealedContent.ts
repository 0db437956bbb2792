import { z } from 'zod'

const MAX_CIPHERTEXT_CHARACTERS = 400_000

const base64url = (pattern: RegExp, words: string) => z.string().regex(pattern, `must be ${words}, base64url`)
const signature = base64url(/^[A-Za-z0-9_-]{86}$/, '64 bytes')

/**
 * A sealed message in wire form. A fresh key encrypts the content (AES-256-GCM); HPKE (RFC 9180, base mode,
 * DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, AES-256-GCM) seals that key to each party.
 */
export const sealedContent = z.strictObject({
  /** A UUID chosen by the sender. Everything below covers it, so that no part fits another message. */
  id: z.uuid(),
  /** base64url of the content's canonical JSON, encrypted, followed by the tag. */
  ciphertext: base64url(/^[A-Za-z0-9_-]+$/, 'bytes').max(MAX_CIPHERTEXT_CHARACTERS),
  /** Hex: binds the key to this ciphertext, which the cipher does not. */
  commitment: z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 lowercase hex digits'),
  grants: z
    .array(
      z.strictObject({
        recipient_urn: z.string(),
        enc: base64url(/^[A-Za-z0-9_-]{43}$/, '32 bytes'),
        key: base64url(/^[A-Za-z0-9_-]{64}$/, '48 bytes'),
      }),
    )
    .length(2),
  /** The sender's, Ed25519, base64url. */
  signature,
})
