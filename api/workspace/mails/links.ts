import { createHmac, timingSafeEqual } from 'node:crypto'
import { stringify } from 'uuid'
import type { Settings } from '../../context.ts'

const ID_BYTES = 16

/** Returns the link in a mail that does something by a token. */
export function mailLink(
  { baseUrl }: Pick<Settings, 'baseUrl'>,
  what: 'confirm' | 'unsubscribe',
  token: string,
): string {
  return `${baseUrl}/mail/${what}?token=${token}`
}

/** Returns the token that turns the mails to a person off. It is the same in each mail, and has no end. */
export function unsubscribeToken(settings: Pick<Settings, 'secretKey'>, humanId: string): string {
  const id = Buffer.from(humanId.replaceAll('-', ''), 'hex')
  return Buffer.concat([id, signatureOf(settings, id)]).toString('base64url')
}

/** Returns the id of the person whose mails a token turns off, or undefined for a token that we did not make. */
export function unsubscriberOf(settings: Pick<Settings, 'secretKey'>, token: string): string | undefined {
  const bytes = Buffer.from(token, 'base64url')
  const [id, signature] = [bytes.subarray(0, ID_BYTES), bytes.subarray(ID_BYTES)]
  const expected = signatureOf(settings, id)
  if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) return undefined
  return stringify(id)
}

function signatureOf({ secretKey }: Pick<Settings, 'secretKey'>, id: Buffer): Buffer {
  return createHmac('sha256', Buffer.from(secretKey, 'hex'))
    .update(JSON.stringify(['unsubscribe', id.toString('hex')]))
    .digest()
}
