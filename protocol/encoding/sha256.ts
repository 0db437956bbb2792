import { hash } from 'node:crypto'

/** Returns the SHA-256 of bytes: 32 bytes. In browsers `sha256.browser.ts` replaces this file. */
export function sha256(data: Uint8Array): Uint8Array {
  return hash('sha256', data, 'buffer')
}
