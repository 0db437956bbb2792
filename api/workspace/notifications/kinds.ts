import type { NotificationRole } from '../../platform/db/columns.ts'

/** As what an account is told: members hide roles for a time. */
export const NOTIFICATION_ROLES = ['author', 'assignee', 'approver', 'mentioned', 'watcher', 'admin'] as const

/** A kind of notification: its title, which names no one and nothing, and as what its accounts are told. */
interface NotificationKindEntry {
  title: string
  role: NotificationRole
}

/** Every kind of notification. Where one is of an event, it has the event's type. A verb can send no other. */
export const notificationKinds = {
  'attachment.created': { title: 'A file was attached to a page of yours', role: 'author' },
  'attachment.quarantined': { title: 'A file was found infected, and is not handed out', role: 'author' },
  'confirmation.requested': { title: 'An agent of yours asks you', role: 'approver' },
  'comment.created': { title: 'Somebody commented on something of yours', role: 'author' },
  'comment.mentioned': { title: 'You were mentioned in a comment', role: 'mentioned' },
  'decision.recorded': { title: 'A decision was recorded on something of yours', role: 'author' },
  'import.finished': { title: 'An import of yours has ended', role: 'author' },
  'secret.revealed': { title: 'A secret of yours was revealed', role: 'author' },
  'task.submitted': { title: 'A task of yours was handed in', role: 'approver' },
  'task.approved': { title: 'A task that you did was approved', role: 'assignee' },
  'task.rejected': { title: 'A task that you did was rejected', role: 'assignee' },
  'webhook.stopped': { title: 'A webhook is not sent to any more', role: 'admin' },
} as const satisfies Record<string, NotificationKindEntry>

export type NotificationKind = keyof typeof notificationKinds
