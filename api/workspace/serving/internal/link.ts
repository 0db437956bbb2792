import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Settings } from '../../../context.ts'
import { notFound, Problem } from '../../../errors.ts'
import { readClock } from '../../../platform/db/clock.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { attachmentProblems } from '../../attachments/problems.ts'
import type { Rendition } from './renditions.ts'

/** The target of a link, and the account that it was issued to. */
export interface FileTarget {
  /** The id of the human. An agent is looked up by its owner. */
  account: string
  /** The agent that acted, if one did. */
  agent: string | null
  attachmentId: string
  /** The number of the version. */
  version: number
  rendition: Rendition
  disposition: 'inline' | 'attachment'
}

/** The claims of a link. `expires` is in unix seconds. */
export interface FileLink extends FileTarget {
  expires: number
}

/**
 * Returns a link to a file, valid for rules.linkSeconds. Any holder can use it, as long as its account could.
 */
export async function makeFileLink(
  tx: Tx,
  settings: Pick<Settings, 'filesUrl' | 'rules' | 'secretKey'>,
  target: FileTarget,
): Promise<string> {
  const expires = Math.floor((await readClock(tx)).getTime() / 1000) + settings.rules.linkSeconds
  const { account, agent, attachmentId, version, rendition, disposition } = target
  const signature = macOf(settings, { ...target, expires }).toString('base64url')
  const query = new URLSearchParams({ account, rendition, disposition, expires: String(expires), signature })
  if (agent !== null) query.set('agent', agent)
  return `${settings.filesUrl}/files/${attachmentId}/${version}?${query}`
}

/** Throws 404 for a link that we did not sign, 403 for one that has expired. */
export async function requireFileLink(
  tx: Tx,
  settings: Pick<Settings, 'secretKey'>,
  link: FileLink,
  signature: string,
): Promise<void> {
  const given = Buffer.from(signature, 'base64url')
  const expected = macOf(settings, link)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw notFound('file')
  if (link.expires * 1000 > (await readClock(tx)).getTime()) return
  throw new Problem(attachmentProblems.linkExpired, { detail: 'This link has expired. Ask for the download again.' })
}

function macOf(settings: Pick<Settings, 'secretKey'>, link: FileLink): Buffer {
  const { account, agent, attachmentId, version, rendition, disposition, expires } = link
  return createHmac('sha256', Buffer.from(settings.secretKey, 'hex'))
    .update(JSON.stringify(['attachment link', account, agent, attachmentId, version, rendition, disposition, expires]))
    .digest()
}
