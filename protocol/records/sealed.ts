import * as ed25519 from '@noble/ed25519'
import { fromBase64url, toBase64url, toHex } from '../encoding/bytes.ts'
import { canonicalBytes, canonicalJson, sha256Hex } from '../encoding/canonical.ts'

const LABEL = 'market:sealed:v1'
const CIPHER = 'AES-GCM'
export const SEAL_KEY_BYTES = 32
// Each key encrypts one message only, so its nonce never repeats.
const NONCE = new Uint8Array(12)
/**
 * A sealed message in wire form (protocol/records/sealedContent.ts). Binary members are base64url, the
 * commitment is hex.
 */
export type SealedContent = {
  id: string
  ciphertext: string
  commitment: string
  grants: { recipient_urn: string; enc: string; key: string }[]
  signature: string
}

/** The place of a sealed message. URNs are strings; `payload` is the public part, or null. */
export interface SealedPlace {
  threadUrn: string
  senderUrn: string
  kind: string
  payload: Record<string, unknown> | null
  id: string
}

/** The content of a sealed message for its readers. */
export interface SealedWords {
  payload: Record<string, unknown> | null
  body: string | null
}

/**
 * A key, a signature or a commitment of a sealed message does not fit: no part of the message may be used.
 */
export class SealBroken extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'SealBroken'
  }
}

/**
 * Returns the commitment that the sender signs together with the message: SHA-256, hex, of the canonical JSON
 * of the label, the key, the place and the hash of the ciphertext. AES-GCM allows two keys that open one
 * ciphertext to two texts; only one of them fits this.
 */
export function commitmentOf(place: SealedPlace, key: Uint8Array, ciphertext: string): string {
  const bound = { ...placed(place), key: toHex(key), ciphertext: hashOf(ciphertext) }
  return sha256Hex(canonicalJson({ ...bound, use: 'commitment' }))
}

/** Returns HPKE's info of one recipient's grant: it opens only for this message and this recipient. */
export function grantInfo(place: SealedPlace, recipientUrn: string): Uint8Array {
  return canonicalBytes({ ...placed(place), use: 'grant', recipient: recipientUrn })
}

/** Returns the bytes a sender signs: everything of a sealed message, without its key. */
export function sealStatement(place: SealedPlace, sealed: Omit<SealedContent, 'signature'>): Uint8Array {
  const { ciphertext, commitment, grants } = sealed
  const said = { ...placed(place), ciphertext: hashOf(ciphertext), commitment, grants, payload: place.payload }
  return canonicalBytes({ ...said, use: 'signature' })
}

/** Returns whether the sender's key (Ed25519, base64url) signed this message in this place. */
export async function isSealedBy(place: SealedPlace, sealed: SealedContent, publicKey: string): Promise<boolean> {
  const { signature, ...rest } = sealed
  try {
    const statement = sealStatement(place, rest)
    return await ed25519.verifyAsync(fromBase64url(signature), statement, fromBase64url(publicKey), { zip215: false })
  } catch {
    return false
  }
}

/** Encrypts a message's content under a key that must not be used for anything else. */
export async function encryptWords(place: SealedPlace, key: Uint8Array, words: SealedWords): Promise<string> {
  const cipher = await crypto.subtle.importKey('raw', new Uint8Array(key), CIPHER, false, ['encrypt'])
  const text = await crypto.subtle.encrypt(algorithm(place), cipher, canonicalBytes(words))
  return toBase64url(new Uint8Array(text))
}

/**
 * Decrypts a message's content. Throws SealBroken for a key other than the one the sender committed to, and
 * for content of the wrong form.
 */
export async function decryptWords(place: SealedPlace, sealed: SealedContent, key: Uint8Array): Promise<SealedWords> {
  if (!isCommittedTo(place, sealed, key)) throw new SealBroken('this is not the key that the sender committed to')
  const words = readWords(await decrypt(place, key, sealed.ciphertext))
  if (words) return words
  throw new SealBroken('what was sealed is no message')
}

function isCommittedTo(place: SealedPlace, { ciphertext, commitment }: SealedContent, key: Uint8Array): boolean {
  const isBase64url = /^[A-Za-z0-9_-]*$/.test(ciphertext) && ciphertext.length % 4 !== 1
  return key.length === SEAL_KEY_BYTES && isBase64url && commitmentOf(place, key, ciphertext) === commitment
}

// Members that a later version adds are ignored.
function readWords(value: unknown): SealedWords | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { payload, body } = value as Record<string, unknown>
  // null is an object as well.
  const isPayload = typeof payload === 'object' && !Array.isArray(payload)
  const isBody = body === null || typeof body === 'string'
  return isPayload && isBody ? { payload: payload as SealedWords['payload'], body } : undefined
}

async function decrypt(place: SealedPlace, key: Uint8Array, ciphertext: string): Promise<unknown> {
  try {
    const cipher = await crypto.subtle.importKey('raw', new Uint8Array(key), CIPHER, false, ['decrypt'])
    const text = await crypto.subtle.decrypt(algorithm(place), cipher, fromBase64url(ciphertext))
    return JSON.parse(new TextDecoder().decode(text))
  } catch {
    throw new SealBroken('the ciphertext was changed, or its sender sealed it to nobody')
  }
}

/** AES-256-GCM with the whole tag, which also covers the place. */
function algorithm(place: SealedPlace) {
  return { name: CIPHER, iv: NONCE, additionalData: canonicalBytes({ ...placed(place), use: 'content' }) }
}

function placed({ threadUrn, senderUrn, kind, id }: SealedPlace) {
  return { label: LABEL, thread: threadUrn, sender: senderUrn, kind, message: id }
}

function hashOf(ciphertext: string): string {
  return sha256Hex(fromBase64url(ciphertext))
}
