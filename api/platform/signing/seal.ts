import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { canonicalJson } from '../../../protocol/encoding/canonical.ts'
import type { Settings } from '../../context.ts'

const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

/**
 * Encrypts a seed, or nothing for a retired key, under SIGNING_KEY (AES-256-GCM), bound to the public members
 * of its row. So someone with only the database can neither sign, nor add or change a key. Nonce and tag come
 * first. The secrets of webhooks and of orgs are encrypted in the same way.
 */
export function sealSeed(signingKey: string, seedHex: string, members: object): Buffer {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(CIPHER, Buffer.from(signingKey, 'hex'), iv)
  cipher.setAAD(Buffer.from(canonicalJson(members)))
  const sealed = Buffer.concat([cipher.update(Buffer.from(seedHex, 'hex')), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), sealed])
}

/** The SIGNING_KEY of a process, and those beside it while it is replaced. */
export type SealingKeys = Pick<Settings, 'signingKey' | 'otherSigningKeys'>

/**
 * The seed that `sealSeed` encrypted under one of these keys, in hex. Undefined with other keys, or if a
 * member was changed.
 */
export function openSeed(
  { signingKey, otherSigningKeys = [] }: SealingKeys,
  sealed: Buffer,
  members: object,
): string | undefined {
  for (const key of [signingKey, ...otherSigningKeys]) {
    const seed = openWith(key, sealed, members)
    if (seed !== undefined) return seed
  }
  return undefined
}

function openWith(signingKey: string, sealed: Buffer, members: object): string | undefined {
  try {
    const decipher = createDecipheriv(CIPHER, Buffer.from(signingKey, 'hex'), sealed.subarray(0, IV_BYTES), {
      authTagLength: TAG_BYTES,
    })
    decipher.setAAD(Buffer.from(canonicalJson(members)))
    decipher.setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
    return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('hex')
  } catch {
    return undefined
  }
}
