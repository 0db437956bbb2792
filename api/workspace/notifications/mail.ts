import { createTransport } from 'nodemailer'
import type { MailSettings } from '../../context.ts'
import type { NotificationMessage } from './message.ts'
import type { SendOutcome } from './push.ts'

const TIMEOUT_MS = 20_000
const PERMANENT = 500

/** Sends a message by mail, through the configured server. Returns how it ended. */
export async function sendMail(mail: MailSettings, to: string, message: NotificationMessage): Promise<SendOutcome> {
  const { title, org, url, id } = message
  const timeouts = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS }
  const transport = createTransport({ url: mail.url, ...timeouts, disableFileAccess: true, disableUrlAccess: true })
  try {
    const headers = { 'Auto-Submitted': 'auto-generated' }
    const text = `${title} (${org}).\n\n${url}\n\nPUT /me/notification-prefs says what you are told by mail.\n`
    // The same id at each attempt: what was taken although we did not hear so is the same mail.
    await transport.sendMail({
      from: mail.from,
      to,
      subject: title,
      text,
      headers,
      messageId: `<${id}@${hostOf(mail)}>`,
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
