import { createHash } from 'node:crypto'
import type { MailSettings, Settings } from '../../../context.ts'
import { deliverMail, type MailOutcome, mailLink, unsubscribeToken } from '../../mails/deliver.ts'
import type { LeasedSend } from './lease.ts'
import { messageOf } from './message.ts'

const MAX_LISTED = 50

/** A mail that this process sends now: all the notifications that are due to a person. */
export interface LeasedMail {
  /** The row of market.notification_mails. */
  id: string
  humanId: string
  email: string
  /** At least one. */
  sends: LeasedSend[]
}

/** Sends notifications in one mail, through the configured server. Returns how it ended. */
export async function sendMail(
  settings: Pick<Settings, 'baseUrl' | 'noticeKinds' | 'secretKey'>,
  mail: MailSettings,
  leased: LeasedMail,
): Promise<MailOutcome> {
  const messages = leased.sends.map((send) => messageOf(settings, send))
  const [first] = messages
  const listed = messages
    .slice(0, MAX_LISTED)
    .map(({ title, org, url }) => `${title}${org === null ? '' : ` (${org})`}.\n${url}\n\n`)
  const more = messages.length - listed.length
  const link = mailLink(settings, 'unsubscribe', unsubscribeToken(settings, leased.humanId))
  const text = [
    ...listed,
    more > 0 ? `And ${more} more.\n\n` : '',
    `PUT /me/notification-prefs says what you are told by mail. No more mails:\n${link}\n`,
  ].join('')
  return deliverMail(mail, {
    to: leased.email,
    subject: first && messages.length === 1 ? first.title : `${messages.length} notifications`,
    text,
    // RFC 8058: a mail client posts to the link when its user says so.
    headers: { 'List-Unsubscribe': `<${link}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
    id: idOf(messages.map(({ id }) => id)),
  })
}

// A mail that the server accepted without our knowing is sent again as the same mail, unless more
// notifications came since.
function idOf(notifications: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(notifications)).digest('hex')
}
