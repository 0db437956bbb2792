import { createHash } from 'node:crypto'
import type { MailSettings, Settings } from '../../context.ts'
import { deliverMail, type MailOutcome, mailLink, unsubscribeToken } from '../mails/deliver.ts'
import type { ClaimedSend } from './claim.ts'
import { messageOf } from './message.ts'

const MAX_LISTED = 50

/** A mail that this process sends now: all that is due to a person. */
export interface ClaimedMail {
  /** Of market.notification_mails. */
  id: string
  humanId: string
  email: string
  /** At least one. */
  sends: ClaimedSend[]
}

/** Sends notifications in one mail, through the configured server. Returns how it ended. */
export async function sendMail(
  settings: Pick<Settings, 'baseUrl' | 'noticeKinds' | 'secretKey'>,
  mail: MailSettings,
  claimed: ClaimedMail,
): Promise<MailOutcome> {
  const messages = claimed.sends.map((send) => messageOf(settings, send))
  const [first] = messages
  const listed = messages
    .slice(0, MAX_LISTED)
    .map(({ title, org, url }) => `${title}${org === null ? '' : ` (${org})`}.\n${url}\n\n`)
  const more = messages.length - listed.length
  const link = mailLink(settings, 'unsubscribe', unsubscribeToken(settings, claimed.humanId))
  const text = [
    ...listed,
    more > 0 ? `And ${more} more.\n\n` : '',
    `PUT /me/notification-prefs says what you are told by mail. No more mails:\n${link}\n`,
  ].join('')
  return deliverMail(mail, {
    to: claimed.email,
    subject: first && messages.length === 1 ? first.title : `${messages.length} notifications`,
    text,
    // RFC 8058: a mail client posts to the link when its user says so.
    headers: { 'List-Unsubscribe': `<${link}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
    id: idOf(messages.map(({ id }) => id)),
  })
}

// What was taken although we did not hear so is the same mail, unless more has come since.
function idOf(notifications: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(notifications)).digest('hex')
}
