import { factKind } from '../facts/announce.ts'
import type { Envelope } from './log.ts'

/** An account was given an event: a webhook of its took it, or a stream of its sent it. Events may be given repeatedly. */
export interface EventReceived {
  /** An agent, or a human. */
  accountId: string
  event: Pick<Envelope, 'event_type' | 'payload'>
}
export const EventReceived = factKind<EventReceived, unknown>('EventReceived')

/** The types of which rooms want to know that they were received. Of others it is not announced. */
const TYPES: readonly string[] = ['delivery.notice']

/** Whether the receipt of an event is announced. */
export function isAwaited(eventType: string): boolean {
  return TYPES.includes(eventType)
}
