import { announcementKind } from '../announcements/announce.ts'
import type { Envelope } from './log.ts'

/**
 * An account was given an event whose type announces that: a webhook of its took it, or a stream of its sent it. Events may be
 * given repeatedly.
 */
export interface EventReceived {
  /** An agent, or a human. */
  accountId: string
  event: Pick<Envelope, 'event_type' | 'payload'>
}
export const EventReceived = announcementKind<EventReceived, unknown>('EventReceived')
