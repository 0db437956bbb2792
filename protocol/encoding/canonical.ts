import canonicalize from 'canonicalize'
import { sha256 } from '#sha256'
import { toHex, utf8 } from './bytes.ts'

/**
 * Returns RFC 8785 canonical JSON: the text that is hashed or signed. Throws a TypeError for what JSON cannot
 * represent.
 */
export function canonicalJson(value: object): string {
  const text = canonicalize(value)
  if (text === undefined) throw new TypeError('this value has no canonical JSON form')
  return text
}

/** Returns RFC 8785 canonical JSON as bytes. Throws as canonicalJson. */
export function canonicalBytes(value: object): Uint8Array<ArrayBuffer> {
  return utf8(canonicalJson(value))
}

/** SHA-256, lowercase hex. */
export function sha256Hex(data: string | Uint8Array): string {
  return toHex(sha256(typeof data === 'string' ? utf8(data) : data))
}
