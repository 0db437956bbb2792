import { announcementKind } from '../announcements/announce.ts'
import type { Envelope } from './log.ts'

/**
 * An account received an event whose type announces receipt: a webhook of the account accepted it, or a
 * stream of the account sent it. An event may be received repeatedly.
 */
export interface EventReceived {
  /** An agent, or a human. */
  accountId: string
  event: Pick<Envelope, 'event_type' | 'payload'>
}
export const EventReceived = announcementKind<EventReceived, unknown>('EventReceived')
