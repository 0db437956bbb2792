import * as ed25519 from '@noble/ed25519'
import { fromBase64url, fromHex, toBase64url } from '../encoding/bytes.ts'
import { canonicalBytes, sha256Hex } from '../encoding/canonical.ts'

const SIGNATURE = /^[A-Za-z0-9_-]{86}$/
const KEY = /^[A-Za-z0-9_-]{43}$/

/**
 * The kinds of documents that the service signs. A key signs one kind, so that no document passes for another
 * kind.
 */
export const SIGNING_PURPOSES = ['receipts', 'verdicts', 'reputation', 'fees', 'liabilities', 'audit_head'] as const

export type SigningPurpose = (typeof SIGNING_PURPOSES)[number]

/** A public Ed25519 key in the form of RFC 8037 and RFC 7517, with its purpose and the time it is valid. */
export interface PublicKeyJwk {
  kty: 'OKP'
  crv: 'Ed25519'
  alg: 'Ed25519'
  use: 'sig'
  kid: string
  x: string
  /**
   * A key without a purpose signs for any: a key of a test, or a copy kept from the time before keys had
   * purposes.
   */
  purpose?: SigningPurpose | undefined
  /** ISO 8601. The service signed no document with this key outside these times. */
  valid_from?: string | undefined
  /** Absent while the key is in use. */
  valid_until?: string | undefined
}

/** The purpose that a document is signed for, and the document's own time, if it has one (ISO 8601). */
export interface SignedAs {
  purpose: SigningPurpose
  at?: string
}

/** A document's Ed25519 signature: base64url over its canonical JSON, and the id of its key. */
export interface DocumentSignature {
  keyId: string
  signature: string
}

/** Returns the public half of a signing key. The key id is the start of the SHA-256 of the raw public key. */
export async function publicKeyJwk(seedHex: string): Promise<PublicKeyJwk> {
  const publicKey = await ed25519.getPublicKeyAsync(fromHex(seedHex))
  const x = toBase64url(publicKey)
  return { kty: 'OKP', crv: 'Ed25519', alg: 'Ed25519', use: 'sig', kid: sha256Hex(publicKey).slice(0, 16), x }
}

/** Signs a document's canonical JSON (RFC 8785) with Ed25519 (RFC 8032). */
export async function signDocument(document: object, seedHex: string): Promise<DocumentSignature> {
  const { kid } = await publicKeyJwk(seedHex)
  const signature = await ed25519.signAsync(canonicalBytes(document), fromHex(seedHex))
  return { keyId: kid, signature: toBase64url(signature) }
}

/**
 * Returns whether one of the published keys signed exactly this document, for this purpose and while the key
 * was valid. False for an unknown key or a malformed signature.
 */
export async function verifyDocument(
  document: object,
  signed: DocumentSignature,
  keys: readonly PublicKeyJwk[],
  as: SignedAs,
): Promise<boolean> {
  const key = keys.find((one) => one.kid === signed.keyId && isFor(one, as))
  // Base64 has several spellings of the same bytes: only the canonical one is accepted.
  if (!key || !KEY.test(key.x) || !isSpelt(signed.signature)) return false
  // Strict RFC 8032: a small-order key would verify every document.
  return ed25519.verifyAsync(fromBase64url(signed.signature), canonicalBytes(document), fromBase64url(key.x), {
    zip215: false,
  })
}

function isSpelt(signature: string): boolean {
  return SIGNATURE.test(signature) && toBase64url(fromBase64url(signature)) === signature
}

function isFor({ purpose, valid_from, valid_until }: PublicKeyJwk, as: SignedAs): boolean {
  if (purpose !== undefined && purpose !== as.purpose) return false
  if (as.at === undefined) return true
  const instant = Date.parse(as.at)
  const isBegun = valid_from === undefined || Date.parse(valid_from) <= instant
  return isBegun && (valid_until === undefined || instant <= Date.parse(valid_until))
}
