import { createHmac, timingSafeEqual } from 'node:crypto'
import { createTransport } from 'nodemailer'
import { stringify } from 'uuid'
import type { MailSettings, Settings } from '../../context.ts'

const TIMEOUT_MS = 20_000
const PERMANENT = 500

/** A mail of the service. */
export interface Mail {
  to: string
  subject: string
  text: string
  headers?: Record<string, string>
  /** Identifies the mail. Another attempt with the same content has the same id. */
  id: string
}

/** How an attempt ended: `failed` is tried again later, `refused` is not. */
export type MailOutcome = 'sent' | 'failed' | 'refused'

/** Hands a mail to the configured server. Returns how it ended. */
export async function deliverMail(mail: MailSettings, { id, headers, ...content }: Mail): Promise<MailOutcome> {
  const timeouts = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS }
  const transport = createTransport({ url: mail.url, ...timeouts, disableFileAccess: true, disableUrlAccess: true })
  try {
    await transport.sendMail({
      ...{ ...content, from: mail.from, messageId: `<${id}@${hostOf(mail)}>` },
      headers: { 'Auto-Submitted': 'auto-generated', ...headers },
    })
    return 'sent'
  } catch (error) {
    const code = error instanceof Error && 'responseCode' in error ? Number(error.responseCode) : 0
    return code >= PERMANENT ? 'refused' : 'failed'
  } finally {
    transport.close()
  }
}

function hostOf({ from }: MailSettings): string {
  return from.slice(from.lastIndexOf('@') + 1)
}

const ID_BYTES = 16

/** Returns the link in a mail that performs an action by a token. */
export function mailLink(
  { baseUrl }: Pick<Settings, 'baseUrl'>,
  what: 'confirm' | 'unsubscribe' | 'no-invitations',
  token: string,
): string {
  return `${baseUrl}/mail/${what}?token=${token}`
}

/**
 * Returns the token that turns off the mails to a person. It is the same in each mail, and does not expire.
 */
export function unsubscribeToken(settings: Pick<Settings, 'secretKey'>, humanId: string): string {
  const id = Buffer.from(humanId.replaceAll('-', ''), 'hex')
  return Buffer.concat([id, signatureOf(settings, id)]).toString('base64url')
}

/**
 * Returns the id of the person whose mails a token turns off, or undefined for a token that we did not make.
 */
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
