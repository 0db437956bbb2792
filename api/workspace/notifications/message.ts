import type { Settings } from '../../context.ts'
import { entityPath } from '../schemas.ts'
import type { ClaimedSend } from './claim.ts'
import { titleOf } from './find.ts'

/** What is sent of a notification: no text that a person wrote. */
export interface NotificationMessage {
  id: string
  kind: string
  title: string
  org: string
  entity_type: string
  entity_id: string
  short_id: string | null
  url: string
}

/** Returns what is sent of a notification, by push as JSON and by mail as text. */
export function messageOf(
  { baseUrl, noticeKinds }: Pick<Settings, 'baseUrl' | 'noticeKinds'>,
  send: ClaimedSend,
): NotificationMessage {
  const { notification_id: id, kind, org, entity_type, entity_id, short_id } = send
  const url = baseUrl + entityPath(org, { type: entity_type, id: entity_id, short_id })
  return { id, kind, title: titleOf(noticeKinds, kind), org, entity_type, entity_id, short_id, url }
}
