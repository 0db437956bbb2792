import { createHmac, timingSafeEqual } from 'node:crypto'
import { urnString } from '../../../protocol/urn.ts'
import type { Settings } from '../../context.ts'
import { notFound, Problem } from '../../errors.ts'
import { readClock } from '../../platform/db/clock.ts'
import type { Tx } from '../../platform/db/pool.ts'

/** The claims of a link: the delivery, the account it was issued to, and its expiry (unix seconds). */
export interface Link {
  deliveryId: string
  account: string
  expires: number
}

/**
 * Returns a link to the bytes of a delivery, issued to one account and valid for rules.linkSeconds. Any holder of the
 * link can use it.
 */
export async function makeLink(tx: Tx, settings: Settings, deliveryId: string, account: string) {
  const expires = Math.floor((await readClock(tx)).getTime() / 1000) + settings.rules.linkSeconds
  const signature = macOf(settings, { deliveryId, account, expires }).toString('base64url')
  const query = new URLSearchParams({ account, expires: String(expires), signature })
  return {
    url: `${settings.filesUrl}/v1/deliveries/${urnString('delivery', deliveryId)}/content?${query}`,
    expires_at: new Date(expires * 1000).toISOString(),
  }
}

/** Throws 404 for a link that we did not sign, 403 for one that has expired. */
export async function requireLink(tx: Tx, settings: Settings, link: Link, signature: string): Promise<void> {
  const given = Buffer.from(signature, 'base64url')
  const expected = macOf(settings, link)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw notFound('delivery')
  if (link.expires * 1000 > (await readClock(tx)).getTime()) return
  throw new Problem('deliveries/link-expired', { detail: 'This link is over. Read the delivery again to get another.' })
}

function macOf(settings: Settings, { deliveryId, account, expires }: Link): Buffer {
  return createHmac('sha256', Buffer.from(settings.secretKey, 'hex'))
    .update(JSON.stringify(['delivery link', deliveryId, account, expires]))
    .digest()
}
