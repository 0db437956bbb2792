import { createHmac, timingSafeEqual } from 'node:crypto'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import type { Settings } from '../../../context.ts'

/** Returns the path and query under which an export's file is served until a time, in unix seconds. */
export function exportLink(settings: Pick<Settings, 'secretKey'>, exportId: string, expires: number): string {
  const signature = signatureOf(settings, exportId, String(expires)).toString('base64url')
  return `/v1/exports/${urnString('export', exportId)}/file?expires=${expires}&signature=${signature}`
}

/** Returns whether we signed exactly this link. Does not check whether it has expired. */
export function isOurLink(
  settings: Pick<Settings, 'secretKey'>,
  exportId: string,
  link: { expires: string; signature: string },
): boolean {
  const given = Buffer.from(link.signature, 'base64url')
  const expected = signatureOf(settings, exportId, link.expires)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

function signatureOf(settings: Pick<Settings, 'secretKey'>, exportId: string, expires: string): Buffer {
  return createHmac('sha256', Buffer.from(settings.secretKey, 'hex'))
    .update(JSON.stringify(['export link', exportId, expires]))
    .digest()
}
