import type { NotificationRole } from '../../platform/db/columns.ts'

/** As what an account is told: members hide roles for a time. */
export const NOTIFICATION_ROLES = ['author', 'assignee', 'approver', 'mentioned', 'watcher', 'admin'] as const

/** A kind of notification: its title, which names no one and nothing, and as what its accounts are told. */
export interface NoticeKind {
  name: string
  title: string
  role: NotificationRole
}

/** Kinds of notifications, by their names. */
export type NoticeKinds = Readonly<Record<string, NoticeKind>>

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
