import { sha256 as hash } from '@noble/hashes/sha2.js'

/** The same as in sha256.ts. This must be synchronous, and Web Cryptography's digest is not. */
export function sha256(data: Uint8Array): Uint8Array {
  return hash(data)
}
