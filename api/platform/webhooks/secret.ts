import { randomBytes } from 'node:crypto'
import { sha256Hex } from '../../../protocol/encoding/canonical.ts'
import { urnString } from '../../../protocol/encoding/urn.ts'
import type { Settings } from '../../context.ts'
import { openSeed, type SealingKeys, sealSeed } from '../signing/seal.ts'

const PREFIX = 'whsec_'
const KEY_BYTES = 24

/** A new secret: in the form that is shown once, and in the stored form. */
export interface NewSecret {
  secret: string
  secret_hash: string
  sealed_secret: Buffer
}

/**
 * Draws a secret for a webhook: 192 random bits in base64 after `whsec_`, as Standard Webhooks writes its
 * keys.
 */
export function drawSecret({ signingKey }: Pick<Settings, 'signingKey'>, webhookId: string): NewSecret {
  const key = randomBytes(KEY_BYTES)
  const secret = PREFIX + key.toString('base64')
  const sealed_secret = sealSeed(signingKey, key.toString('hex'), sealedWith(webhookId))
  return { secret, secret_hash: sha256Hex(secret), sealed_secret }
}

/**
 * Decrypts the secret of a webhook. Throws an Error if it was sealed with another SIGNING_KEY or for another
 * webhook.
 */
export function openSecret(keys: SealingKeys, webhookId: string, sealed: Buffer): string {
  const key = openSeed(keys, sealed, sealedWith(webhookId))
  if (key === undefined) throw new Error(`the secret of webhook ${webhookId} was not sealed with this SIGNING_KEY`)
  return PREFIX + Buffer.from(key, 'hex').toString('base64')
}

/** Returns the key bytes of a secret. */
export function keyOf(secret: string): Buffer {
  return Buffer.from(secret.slice(PREFIX.length), 'base64')
}

/** The value that a sealed secret is bound to. */
export function sealedWith(webhookId: string) {
  return { webhook: urnString('webhook', webhookId) }
}
