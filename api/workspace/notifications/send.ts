import { sql } from 'kysely'
import webPush from 'web-push'
import type { Settings } from '../../context.ts'
import { anyOf } from '../../platform/db/lists.ts'
import type { Db } from '../../platform/db/pool.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { forEach } from '../../platform/jobs/each.ts'
import type { JobServices } from '../../platform/jobs/services.ts'
import { Poster } from '../../platform/webhooks/post.ts'
import { pushKeys } from './channels.ts'
import { noteRefused, noteTaken } from './internal/deviceHealth.ts'
import { isLastAttempt, type LeasedSend, leaseSends } from './internal/lease.ts'
import { leaseMail } from './internal/leaseMail.ts'
import { type LeasedMail, sendMail } from './internal/mail.ts'
import { messageOf, type NotificationMessage } from './internal/message.ts'

const TTL_SECONDS = 86_400
const TIMEOUT_MS = 10_000
/** The address that we give push services if our own is not encrypted: in a sandbox. */
const NO_CONTACT = 'mailto:push@localhost'
const AT_ONCE = 64
// Most of an attempt is waiting for somebody else's server.
const LANES = 16

/** Sends the due notifications, to devices and by mail. Those that fail are due again later. */
export async function sendNotifications(services: JobServices): Promise<void> {
  await Promise.all([sendPushes(services), sendMails(services)])
}

async function sendPushes(services: JobServices): Promise<void> {
  const { db, settings } = services
  const poster = new Poster(settings)
  for (;;) {
    const leased = await leaseSends(db, AT_ONCE)
    await forEach(
      services,
      'notification',
      leased.map(withoutKeys),
      ({ send }) => attempt(services, poster, send()),
      LANES,
    )
    if (leased.length < AT_ONCE) return
  }
}

/** Returns the milliseconds until something is due, or undefined if nothing is. */
export async function nextSendInMs({ db }: JobServices): Promise<number | undefined> {
  const { rows } = await sql<{ ms: number }>`
    select ceil(extract(epoch from next_attempt_at - market.now()) * 1000)::float8 as ms
    from market.notification_sends order by next_attempt_at limit 1`.execute(db)
  return rows[0]?.ms
}

async function attempt({ db, settings }: JobServices, poster: Poster, send: LeasedSend): Promise<void> {
  const outcome = send.is_wanted ? await sendPush(settings, poster, send, messageOf(settings, send)) : 'refused'
  const device = send.device_id
  if (outcome === 'dead' && device !== null) {
    await db.deleteFrom('market.push_subscriptions').where('id', '=', device).execute()
    return
  }
  if (device !== null && outcome === 'sent') await noteTaken(db, device)
  if (device !== null && outcome === 'forbidden') await inTransaction(db, 'read write', (tx) => noteRefused(tx, device))
  if (outcome !== 'failed' || isLastAttempt(send.attempts)) await forget(db, [send])
}

/** Sends the mails that are due. */
async function sendMails(services: JobServices): Promise<void> {
  for (let isMore = true; isMore; ) {
    const leased: { id: string; send: () => Promise<void> }[] = []
    while (isMore && leased.length < LANES) {
      const mail = await leaseMail(services)
      if (mail) leased.push({ id: mail.id, send: () => attemptMail(services, mail) })
      else isMore = false
    }
    await forEach(services, 'notification mail', leased, ({ send }) => send(), LANES)
  }
}

async function attemptMail({ db, settings }: JobServices, mail: LeasedMail): Promise<void> {
  const outcome = settings.mail ? await sendMail(settings, settings.mail, mail) : 'refused'
  // A mail that no server accepted does not count towards the hour's limit.
  if (outcome !== 'sent') await db.deleteFrom('market.notification_mails').where('id', '=', mail.id).execute()
  await forget(db, outcome === 'failed' ? mail.sends.filter(({ attempts }) => isLastAttempt(attempts)) : mail.sends)
}

async function forget(db: Db, sends: readonly LeasedSend[]): Promise<void> {
  const ids = sends.map(({ id }) => id)
  if (ids.length > 0) await db.deleteFrom('market.notification_sends').where('id', '=', anyOf(ids)).execute()
}

/** What a fault is logged with: its keys are nobody's business. */
function withoutKeys(send: LeasedSend) {
  return { id: send.id, send: () => send }
}

/**
 * How an attempt ended. `dead`: the device is gone. `forbidden`: its push service refuses the subscription.
 * `refused`: another attempt would end in the same way.
 */
type SendOutcome = 'sent' | 'dead' | 'forbidden' | 'refused' | 'failed'

/**
 * Sends a message to a device: encrypted for it alone (RFC 8291) and signed with our key (RFC 8292). The
 * account chose the address, so it is sent as webhooks are. Returns how it ended.
 */
async function sendPush(
  settings: Pick<Settings, 'baseUrl' | 'secretKey'>,
  poster: Poster,
  { endpoint, p256dh, auth }: LeasedSend,
  message: NotificationMessage,
): Promise<SendOutcome> {
  if (endpoint === null || p256dh === null || auth === null) return 'dead'
  const subject = settings.baseUrl.startsWith('https:') ? settings.baseUrl : NO_CONTACT
  const { headers, body } = webPush.generateRequestDetails(
    { endpoint, keys: { p256dh, auth } },
    JSON.stringify(message),
    {
      TTL: TTL_SECONDS,
      vapidDetails: { subject, ...pushKeys(settings) },
    },
  )
  const texts = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
  const reply = await poster.post({ url: endpoint, headers: texts, body }, AbortSignal.timeout(TIMEOUT_MS))
  return 'status' in reply ? outcomeOf(reply.status) : 'failed'
}

/** RFC 8030: 404 and 410 say that the subscription is over. */
function outcomeOf(status: number): SendOutcome {
  if (status >= 200 && status < 300) return 'sent'
  if (status === 404 || status === 410) return 'dead'
  if (status === 400 || status === 403) return 'forbidden'
  return status >= 400 && status < 500 && status !== 408 && status !== 429 ? 'refused' : 'failed'
}
