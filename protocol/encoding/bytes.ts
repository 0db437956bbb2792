// Converts bytes to texts and back in Node and browsers. Node 24 has neither Uint8Array.fromBase64 nor toHex.

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
// Every engine accepts this many arguments of String.fromCharCode.
const CHARACTERS_AT_ONCE = 8_192
const encoder = new TextEncoder()

/** Returns the bytes of a text in UTF-8. */
export function utf8(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text)
}

/** Returns byte arrays joined in order. */
export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

/** Returns lowercase hex. */
export function toHex(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += HEX[byte]
  return text
}

/** Returns the bytes of hex digits. Throws a RangeError for anything else. */
export function fromHex(text: string): Uint8Array<ArrayBuffer> {
  if (!/^([0-9a-fA-F]{2})*$/.test(text)) throw new RangeError('not pairs of hex digits')
  return Uint8Array.from({ length: text.length / 2 }, (_, at) => Number.parseInt(text.slice(2 * at, 2 * at + 2), 16))
}

/** Returns base64 with padding (RFC 4648, 4). */
export function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += CHARACTERS_AT_ONCE) {
    text += String.fromCharCode(...bytes.subarray(at, at + CHARACTERS_AT_ONCE))
  }
  return btoa(text)
}

/** Returns base64url without padding (RFC 4648, 5). */
export function toBase64url(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/** Returns the bytes of base64url without padding. Throws a RangeError for anything else. */
export function fromBase64url(text: string): Uint8Array<ArrayBuffer> {
  if (!/^[A-Za-z0-9_-]*$/.test(text) || text.length % 4 === 1) throw new RangeError('not base64url')
  const characters = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(characters, (character) => character.charCodeAt(0))
}
