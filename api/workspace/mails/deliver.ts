import { createTransport } from 'nodemailer'
import type { MailSettings } from '../../context.ts'

const TIMEOUT_MS = 20_000
const PERMANENT = 500

/** A mail of the service. */
export interface Mail {
  to: string
  subject: string
  text: string
  headers?: Record<string, string>
  /** Tells it from others. An attempt that says the same again has the same. */
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
