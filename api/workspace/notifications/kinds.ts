import type { NotificationRole } from '../../platform/db/columns.ts'
import type { EventTypes } from '../../platform/events/eventType.ts'

/** As what an account is told: members hide roles for a time. */
export const NOTIFICATION_ROLES = [
  'author',
  'assignee',
  'approver',
  'mentioned',
  'watcher',
  'admin',
  'buyer',
  'seller',
  'payee',
] as const

/** A kind of notification: its title, which names no one and nothing, and as what its accounts are told. */
export interface NoticeKind {
  name: string
  title: string
  role: NotificationRole
}

/** Returns the kinds of what events tell the people behind a trade: title alone, because they are told as either party. */
export function noticesOf(types: EventTypes): Record<string, { title: string }> {
  return Object.fromEntries(
    Object.values(types).flatMap(({ name, tells }) => (tells ? [[name, { title: tells.title }]] : [])),
  )
}

/**
 * Declares kinds of notifications, by their names: where one is of an event, that has the event's type. `api/declarations.ts`
 * lists what every folder declares.
 */
export function defineNotices<const Kinds extends Readonly<Record<string, Omit<NoticeKind, 'name'>>>>(
  kinds: Kinds,
): { readonly [Name in keyof Kinds & string]: NoticeKind } {
  const named = Object.entries(kinds).map(([name, kind]) => [name, { name, ...kind }])
  return Object.fromEntries(named)
}
