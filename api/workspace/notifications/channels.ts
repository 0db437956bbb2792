import { createECDH, hkdfSync } from 'node:crypto'
import type { Settings } from '../../context.ts'
import type { NotificationChannel } from '../../platform/db/columns.ts'

/** Returns the channels that accounts can use: mail only if a server is configured. */
export function offeredChannels({ mail }: Pick<Settings, 'mail'>): NotificationChannel[] {
  return mail ? ['in_app', 'push', 'email'] : ['in_app', 'push']
}

/** The order of P-256 (SEC 2, secp256r1). */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
// 64 bits more than the order, so that the remainder favours no key (FIPS 186-5, A.2.1).
const DRAWN_BYTES = 40
const KEY_BYTES = 32

/** A key pair on P-256 in base64url: the private number, and the uncompressed public point. */
export interface PushKeys {
  publicKey: string
  privateKey: string
}

/**
 * Returns the key pair that identifies us to push services (VAPID, RFC 8292). It is derived from SECRET_KEY:
 * every process has the same pair, and after a change of SECRET_KEY devices must subscribe anew.
 */
export function pushKeys({ secretKey }: Pick<Settings, 'secretKey'>): PushKeys {
  const drawn = hkdfSync('sha256', Buffer.from(secretKey, 'hex'), '', 'market web push', DRAWN_BYTES)
  const scalar = (BigInt(`0x${Buffer.from(drawn).toString('hex')}`) % (ORDER - 1n)) + 1n
  const privateKey = Buffer.from(scalar.toString(16).padStart(KEY_BYTES * 2, '0'), 'hex')
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(privateKey)
  return { publicKey: pair.getPublicKey('base64url'), privateKey: privateKey.toString('base64url') }
}
