import * as ed25519 from '@noble/ed25519'
import { canonicalJson, sha256Hex } from './canonical.ts'

/** A public Ed25519 key as RFC 8037 and RFC 7517 publish it. */
export interface PublicKeyJwk {
  kty: 'OKP'
  crv: 'Ed25519'
  alg: 'Ed25519'
  use: 'sig'
  kid: string
  x: string
}

/** A document's Ed25519 signature: base64url over its canonical JSON, and the key that made it. */
export interface DocumentSignature {
  keyId: string
  signature: string
}

/** The published half of a signing key. The key id is the start of the SHA-256 of the raw public key. */
export async function publicKeyJwk(seedHex: string): Promise<PublicKeyJwk> {
  const publicKey = await ed25519.getPublicKeyAsync(Buffer.from(seedHex, 'hex'))
  const x = Buffer.from(publicKey).toString('base64url')
  return { kty: 'OKP', crv: 'Ed25519', alg: 'Ed25519', use: 'sig', kid: sha256Hex(publicKey).slice(0, 16), x }
}

/** Signs a document's canonical JSON (RFC 8785) with Ed25519 (RFC 8032). */
export async function signDocument(document: object, seedHex: string): Promise<DocumentSignature> {
  const { kid } = await publicKeyJwk(seedHex)
  const signature = await ed25519.signAsync(Buffer.from(canonicalJson(document)), Buffer.from(seedHex, 'hex'))
  return { keyId: kid, signature: Buffer.from(signature).toString('base64url') }
}

/** Whether one of the published keys signed exactly this document. False for an unknown key or a malformed signature. */
export async function verifyDocument(
  document: object,
  signed: DocumentSignature,
  keys: readonly PublicKeyJwk[],
): Promise<boolean> {
  const key = keys.find(({ kid }) => kid === signed.keyId)
  const signature = Buffer.from(signed.signature, 'base64url')
  // Base64 has several spellings of the same bytes: a signature has one.
  const isSpelt = signature.length === 64 && signature.toString('base64url') === signed.signature
  if (!key || !isSpelt) return false
  return ed25519.verifyAsync(signature, Buffer.from(canonicalJson(document)), Buffer.from(key.x, 'base64url'))
}
