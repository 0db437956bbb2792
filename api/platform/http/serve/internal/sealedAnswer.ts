import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
const SALT_BYTES = 16
const IV_BYTES = 12
const TAG_BYTES = 16

/**
 * Encrypts an answer so that only the token's holder can read it again: we store only the hash of a token.
 * AES-256-GCM under HKDF-SHA-256 of the token; salt, nonce and tag precede the ciphertext.
 */
export function seal(body: Buffer, token: string): Buffer {
  const [salt, iv] = [randomBytes(SALT_BYTES), randomBytes(IV_BYTES)]
  const cipher = createCipheriv(CIPHER, keyOf(token, salt), iv)
  const sealed = Buffer.concat([cipher.update(body), cipher.final()])
  return Buffer.concat([salt, iv, cipher.getAuthTag(), sealed])
}

/** Decrypts what `seal` encrypted. Throws an Error for another token, or if any byte was changed. */
export function open(sealed: Buffer, token: string): Buffer {
  const [ivAt, tagAt, bodyAt] = [SALT_BYTES, SALT_BYTES + IV_BYTES, SALT_BYTES + IV_BYTES + TAG_BYTES]
  const key = keyOf(token, sealed.subarray(0, ivAt))
  const decipher = createDecipheriv(CIPHER, key, sealed.subarray(ivAt, tagAt))
  decipher.setAuthTag(sealed.subarray(tagAt, bodyAt))
  return Buffer.concat([decipher.update(sealed.subarray(bodyAt)), decipher.final()])
}

function keyOf(token: string, salt: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', token, salt, 'market idempotent answer', KEY_BYTES))
}
