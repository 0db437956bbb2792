import { createCipheriv, createDecipheriv } from 'node:crypto'
import * as ed25519 from '@noble/ed25519'
import { z } from 'zod'
import { canonicalJson, sha256Hex } from './canonical.ts'

const LABEL = 'market:sealed:v1'
const CIPHER = 'aes-256-gcm'
export const SEAL_KEY_BYTES = 32
const TAG_BYTES = 16
// Each key encrypts one message only, so its nonce never repeats.
const NONCE = Buffer.alloc(12)
const MAX_CIPHERTEXT_CHARACTERS = 400_000

const base64url = (pattern: RegExp, words: string) => z.string().regex(pattern, `must be ${words}, base64url`)
const signature = base64url(/^[A-Za-z0-9_-]{86}$/, '64 bytes')

/**
 * A sealed message in wire form. A fresh key encrypts the content (AES-256-GCM); HPKE (RFC 9180, base mode,
 * DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, AES-256-GCM) seals that key to each party.
 */
export const sealedContent = z.strictObject({
  /** A UUID chosen by the sender. Everything below covers it, so that no part fits another message. */
  id: z.uuid(),
  /** base64url of the content's canonical JSON, encrypted, followed by the tag. */
  ciphertext: base64url(/^[A-Za-z0-9_-]+$/, 'bytes').max(MAX_CIPHERTEXT_CHARACTERS),
  /** Hex: binds the key to this ciphertext, which the cipher does not. */
  commitment: z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 lowercase hex digits'),
  grants: z
    .array(
      z.strictObject({
        recipient_urn: z.string(),
        enc: base64url(/^[A-Za-z0-9_-]{43}$/, '32 bytes'),
        key: base64url(/^[A-Za-z0-9_-]{64}$/, '48 bytes'),
      }),
    )
    .length(2),
  /** The sender's, Ed25519, base64url. */
  signature,
})

export type SealedContent = z.infer<typeof sealedContent>

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

/** A key, a signature or a commitment of a sealed message does not fit: nothing of it may be used. */
export class SealBroken extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'SealBroken'
  }
}

/**
 * Returns the commitment that the sender signs together with the message: SHA-256, hex, of the canonical JSON of the
 * label, the key, the place and the hash of the ciphertext. AES-GCM allows two keys that open one ciphertext to two
 * texts; only one of them fits this.
 */
export function commitmentOf(place: SealedPlace, key: Uint8Array, ciphertext: string): string {
  const bound = { ...placed(place), key: Buffer.from(key).toString('hex'), ciphertext: hashOf(ciphertext) }
  return sha256Hex(canonicalJson({ ...bound, use: 'commitment' }))
}

/** Returns HPKE's info of one recipient's grant: it opens only for this message and this recipient. */
export function grantInfo(place: SealedPlace, recipientUrn: string): Uint8Array {
  return Buffer.from(canonicalJson({ ...placed(place), use: 'grant', recipient: recipientUrn }))
}

/** Returns the bytes a sender signs: everything of a sealed message, without its key. */
export function sealStatement(place: SealedPlace, sealed: Omit<SealedContent, 'signature'>): Uint8Array {
  const { ciphertext, commitment, grants } = sealed
  const said = { ...placed(place), ciphertext: hashOf(ciphertext), commitment, grants, payload: place.payload }
  return Buffer.from(canonicalJson({ ...said, use: 'signature' }))
}

/** Returns whether the sender's key (Ed25519, base64url) signed this message in this place. */
export async function isSealedBy(place: SealedPlace, sealed: SealedContent, publicKey: string): Promise<boolean> {
  const { signature: text, ...rest } = sealed
  const statement = sealStatement(place, rest)
  return ed25519
    .verifyAsync(Buffer.from(text, 'base64url'), statement, Buffer.from(publicKey, 'base64url'), { zip215: false })
    .catch(() => false)
}

/** Encrypts a message's content under a key that must not be used for anything else. */
export function encryptWords(place: SealedPlace, key: Uint8Array, words: SealedWords): string {
  const cipher = createCipheriv(CIPHER, key, NONCE).setAAD(associated(place))
  const text = Buffer.concat([cipher.update(canonicalJson(words)), cipher.final()])
  return Buffer.concat([text, cipher.getAuthTag()]).toString('base64url')
}

/**
 * Decrypts a message's content. Throws SealBroken for a key other than the one the sender committed to, and for content
 * of the wrong form.
 */
export function decryptWords(place: SealedPlace, sealed: SealedContent, key: Uint8Array): SealedWords {
  if (key.length !== SEAL_KEY_BYTES || commitmentOf(place, key, sealed.ciphertext) !== sealed.commitment) {
    throw new SealBroken('this is not the key that the sender committed to')
  }
  const bytes = Buffer.from(sealed.ciphertext, 'base64url')
  const parsed = words.safeParse(decrypt(associated(place), key, bytes))
  if (parsed.success) return parsed.data
  throw new SealBroken('what was sealed is no message')
}

// Members that a later version adds are ignored.
const words = z.object({ payload: z.record(z.string(), z.unknown()).nullable(), body: z.string().nullable() })

function decrypt(aad: Uint8Array, key: Uint8Array, bytes: Buffer): unknown {
  try {
    const end = bytes.length - TAG_BYTES
    const decipher = createDecipheriv(CIPHER, key, NONCE, { authTagLength: TAG_BYTES }).setAAD(aad)
    decipher.setAuthTag(bytes.subarray(end))
    return JSON.parse(Buffer.concat([decipher.update(bytes.subarray(0, end)), decipher.final()]).toString())
  } catch {
    throw new SealBroken('the ciphertext was changed, or its sender sealed it to nobody')
  }
}

function associated(place: SealedPlace): Uint8Array {
  return Buffer.from(canonicalJson({ ...placed(place), use: 'content' }))
}

function placed({ threadUrn, senderUrn, kind, id }: SealedPlace) {
  return { label: LABEL, thread: threadUrn, sender: senderUrn, kind, message: id }
}

function hashOf(ciphertext: string): string {
  return sha256Hex(Buffer.from(ciphertext, 'base64url'))
}
