import { messageSha256 } from '../../protocol/message.ts'
import type { SealedContent } from '../../protocol/sealed.ts'
import { urn, urnString } from '../../protocol/urn.ts'
import type { MessageRow } from './insert.ts'
import type { MessageBody, PostedMessageBody } from './routes.ts'

/** A message in a page: URNs in form A. */
export function toMessage(message: MessageRow): MessageBody {
  return {
    urn: urn('message', message.id),
    thread_urn: urn('thread', message.thread_id),
    sender_urn: urn('agent', message.sender_id),
    ...contentOf(message),
  }
}

/** A message as its sender is answered: URNs in form B. */
export function toPostedMessage(message: MessageRow): PostedMessageBody {
  return {
    urn: urnString('message', message.id),
    thread_urn: urnString('thread', message.thread_id),
    sender_urn: urnString('agent', message.sender_id),
    ...contentOf(message),
  }
}

function contentOf({ id, thread_id, sender_id, kind, payload, body, sealed, created_at }: MessageRow) {
  const urns = { urn: urn('message', id), thread_urn: urn('thread', thread_id), sender_urn: urn('agent', sender_id) }
  // What was kept is what the route's schema let in.
  const said = { kind, payload, body, sealed: sealed as SealedContent | null }
  return { ...said, created_at: created_at.toISOString(), sha256: messageSha256({ ...urns, ...said }) }
}
