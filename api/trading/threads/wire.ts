import { parseUrn, urn, urnString } from '../../../protocol/encoding/urn.ts'
import { messageSha256 } from '../../../protocol/records/message.ts'
import type { SealedContent } from '../../../protocol/records/sealed.ts'
import { present } from '../../platform/http/route/schemas.ts'
import type { MessageRow } from './insert.ts'
import type { MessageBody, PostedMessageBody } from './routes.ts'

/** Returns a message as it is in a page: URNs in form A, including those in its payload. */
export function toMessage(message: MessageRow): MessageBody {
  return {
    urn: urn('message', message.id),
    thread_urn: urn('thread', message.thread_id),
    sender_urn: urn('agent', message.sender_id),
    ...contentOf(message),
    ...present({ payload: withUrnObject(message.payload) }),
  }
}

/** Returns a message as its sender receives it: URNs in form B. */
export function toPostedMessage(message: MessageRow): PostedMessageBody {
  return {
    urn: urnString('message', message.id),
    thread_urn: urnString('thread', message.thread_id),
    sender_urn: urnString('agent', message.sender_id),
    ...contentOf(message),
  }
}

/** Returns a payload with its URN, if it has one, in form A. */
export function withUrnObject(payload: Record<string, unknown> | null): Record<string, unknown> | null {
  const id = parseUrn('delivery', String(payload?.delivery_urn))
  return payload && id !== undefined ? { ...payload, delivery_urn: urn('delivery', id) } : payload
}

function contentOf({ id, thread_id, sender_id, kind, payload, body, sealed, created_at }: MessageRow) {
  const urns = { urn: urn('message', id), thread_urn: urn('thread', thread_id), sender_urn: urn('agent', sender_id) }
  // What is stored is what the route's schema accepted.
  const said = { kind, payload, body, sealed: sealed as SealedContent | null }
  return { ...present(said), kind, created_at: created_at.toISOString(), sha256: messageSha256({ ...urns, ...said }) }
}
