import webPush from 'web-push'
import type { Settings } from '../../context.ts'
import type { Poster } from '../../platform/webhooks/post.ts'
import { pushKeys } from './channels.ts'
import type { LeasedSend } from './lease.ts'
import type { NotificationMessage } from './message.ts'

const TTL_SECONDS = 86_400
const TIMEOUT_MS = 10_000
/** The address that we give push services if our own is not encrypted: in a sandbox. */
const NO_CONTACT = 'mailto:push@localhost'

/** How an attempt ended. `dead`: the device is gone. `refused`: another attempt would end in the same way. */
export type SendOutcome = 'sent' | 'dead' | 'refused' | 'failed'

/**
 * Sends a message to a device: encrypted for it alone (RFC 8291) and signed with our key (RFC 8292). The
 * account chose the address, so it is sent as webhooks are. Returns how it ended.
 */
export async function sendPush(
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
  return status >= 400 && status < 500 && status !== 408 && status !== 429 ? 'refused' : 'failed'
}
