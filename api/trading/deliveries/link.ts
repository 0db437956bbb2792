import { createHmac, timingSafeEqual } from 'node:crypto'
import { urnString } from '../../../protocol/encoding/urn.ts'
import type { Settings } from '../../context.ts'
import { notFound, Problem } from '../../errors.ts'
import { readClock } from '../../platform/db/clock.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { deliveryProblems } from './problems.ts'

const PATHS = { delivery: '/v1/deliveries', evidence: '/v1/evidence' } as const

/** What a link states: the file, the account it was issued to, and its expiry (unix seconds). */
export interface Link {
  kind: keyof typeof PATHS
  id: string
  account: string
  expires: number
}

/**
 * Returns a link to the bytes of a delivery, or of a file handed in to a dispute, issued to one account and
 * valid for rules.linkSeconds. Any holder of the link can use it.
 */
export async function makeLink(
  tx: Tx,
  settings: Pick<Settings, 'filesUrl' | 'rules' | 'secretKey'>,
  target: Omit<Link, 'expires'>,
) {
  const expires = Math.floor((await readClock(tx)).getTime() / 1000) + settings.rules.linkSeconds
  const { kind, id, account } = target
  const signature = macOf(settings, { ...target, expires }).toString('base64url')
  const query = new URLSearchParams({ account, expires: String(expires), signature })
  return {
    url: `${settings.filesUrl}${PATHS[kind]}/${urnString(kind, id)}/content?${query}`,
    expires_at: new Date(expires * 1000).toISOString(),
  }
}

/** Throws 404 for a link that we did not sign, 403 for one that has expired. */
export async function requireLink(
  tx: Tx,
  settings: Pick<Settings, 'secretKey'>,
  link: Link,
  signature: string,
): Promise<void> {
  const given = Buffer.from(signature, 'base64url')
  const expected = macOf(settings, link)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw notFound(link.kind)
  if (link.expires * 1000 > (await readClock(tx)).getTime()) return
  throw new Problem(deliveryProblems.linkExpired, {
    detail: 'This link has expired. Read the delivery or file again to get a new link.',
  })
}

function macOf(settings: Pick<Settings, 'secretKey'>, { kind, id, account, expires }: Link): Buffer {
  return createHmac('sha256', Buffer.from(settings.secretKey, 'hex'))
    .update(JSON.stringify([`${kind} link`, id, account, expires]))
    .digest()
}
