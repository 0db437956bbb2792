import type { Settings } from '../../../context.ts'
import { pathOf, titleOf } from './find.ts'
import type { LeasedSend } from './lease.ts'

/** The content of a message about a notification: no text that a person wrote. */
export interface NotificationMessage {
  id: string
  kind: string
  title: string
  /** Null for notifications of trades. */
  org: string | null
  entity_type: string
  entity_id: string
  short_id: string | null
  url: string
}

/** Returns the message about a notification: JSON for push, and text for mail. */
export function messageOf(
  { baseUrl, noticeKinds }: Pick<Settings, 'baseUrl' | 'noticeKinds'>,
  send: LeasedSend,
): NotificationMessage {
  const { notification_id: id, kind, org, entity_type, entity_id, short_id } = send
  const url = baseUrl + pathOf(org, { type: entity_type, id: entity_id, short_id })
  return { id, kind, title: titleOf(noticeKinds, kind), org, entity_type, entity_id, short_id, url }
}
