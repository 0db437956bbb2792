import { sha256 as hash } from '@noble/hashes/sha2.js'

/** As in sha256.ts. Web Cryptography's digest is asynchronous, and this must not be. */
export function sha256(data: Uint8Array): Uint8Array {
  return hash(data)
}
