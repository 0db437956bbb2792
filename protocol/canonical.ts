import { createHash } from 'node:crypto'
import canonicalize from 'canonicalize'

/**
 * Returns RFC 8785 canonical JSON: the text that is hashed or signed. Throws a TypeError for what JSON cannot
 * represent.
 */
export function canonicalJson(value: object): string {
  const text = canonicalize(value)
  if (text === undefined) throw new TypeError('this value has no canonical JSON form')
  return text
}

/** SHA-256, lowercase hex. */
export function sha256Hex(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex')
}
