import type { NotificationRole } from '../../platform/db/columns.ts'
import type { EventTypes } from '../../platform/events/eventType.ts'

/** The role in which an account is notified. Members can hide roles for a time. */
export const NOTIFICATION_ROLES = [
  'author',
  'assignee',
  'approver',
  'mentioned',
  'watcher',
  'admin',
  'invited',
  'buyer',
  'seller',
  'payee',
] as const

/** A kind of notification: its title, which names no one and nothing, and the roles of its accounts. */
export interface NoticeKind {
  name: string
  title: string
  role: NotificationRole
}

/**
 * Returns the kinds for events that notify the people behind a trade: only titles, because either party may
 * be notified.
 */
export function noticesOf(types: EventTypes): Record<string, { title: string }> {
  return Object.fromEntries(
    Object.values(types).flatMap(({ name, tells }) => (tells ? [[name, { title: tells.title }]] : [])),
  )
}

/**
 * Declares kinds of notifications by their names. A kind that comes from an event has the event's type as its
 * name. `api/modules.ts` lists what every folder declares.
 */
export function defineNotices<const Kinds extends Readonly<Record<string, Omit<NoticeKind, 'name'>>>>(
  kinds: Kinds,
): { readonly [Name in keyof Kinds & string]: NoticeKind } {
  const named = Object.entries(kinds).map(([name, kind]) => [name, { name, ...kind }])
  return Object.fromEntries(named)
}
