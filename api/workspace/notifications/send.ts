import { sql } from 'kysely'
import { forEach } from '../../platform/jobs/each.ts'
import type { JobServices } from '../../platform/jobs/services.ts'
import { Poster } from '../../platform/webhooks/post.ts'
import { type ClaimedSend, claimSends, isLastAttempt } from './claim.ts'
import { sendMail } from './mail.ts'
import { messageOf } from './message.ts'
import { type SendOutcome, sendPush } from './push.ts'

const AT_ONCE = 64
// Most of an attempt is waiting for somebody else's server.
const LANES = 16

/** Sends what is due of notifications, to devices and by mail. What fails is due again later. */
export async function sendNotifications(services: JobServices): Promise<void> {
  const { db, settings } = services
  const poster = new Poster(settings)
  for (;;) {
    const claimed = await claimSends(db, AT_ONCE)
    await forEach(
      services,
      'notification',
      claimed.map(withoutKeys),
      ({ send }) => attempt(services, poster, send()),
      LANES,
    )
    if (claimed.length < AT_ONCE) return
  }
}

/** Returns when something is due: milliseconds, or undefined for never. */
export async function nextSendInMs({ db }: JobServices): Promise<number | undefined> {
  const { rows } = await sql<{ ms: number }>`
    select ceil(extract(epoch from next_attempt_at - market.now()) * 1000)::float8 as ms
    from market.notification_sends order by next_attempt_at limit 1`.execute(db)
  return rows[0]?.ms
}

async function attempt({ db, settings }: JobServices, poster: Poster, send: ClaimedSend): Promise<void> {
  const outcome = await outcomeOf(settings, poster, send)
  if (outcome === 'dead' && send.device_id !== null) {
    await db.deleteFrom('market.push_subscriptions').where('id', '=', send.device_id).execute()
  } else if (outcome !== 'failed' || isLastAttempt(send.attempts)) {
    await db.deleteFrom('market.notification_sends').where('id', '=', send.id).execute()
  }
}

async function outcomeOf(settings: JobServices['settings'], poster: Poster, send: ClaimedSend): Promise<SendOutcome> {
  if (!send.is_wanted) return 'refused'
  const message = messageOf(settings, send)
  if (send.channel === 'push') return sendPush(settings, poster, send, message)
  return settings.mail ? sendMail(settings.mail, send.email, message) : 'refused'
}

/** What a fault is logged with: an address and keys are nobody's business. */
function withoutKeys(send: ClaimedSend) {
  return { id: send.id, channel: send.channel, send: () => send }
}
