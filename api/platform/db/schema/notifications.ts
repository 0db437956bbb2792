import type { MaybeTime, Time } from './columns.ts'

/** As what an account is told of something. */
export type NotificationRole = 'author' | 'assignee' | 'approver' | 'mentioned' | 'watcher' | 'admin'

interface Notifications {
  id: string
  org_id: string
  account_id: string
  human_id: string
  kind: string
  role: NotificationRole
  entity_type: string
  entity_id: string
  short_id: string | null
  space_id: string | null
  actor: string | null
  due_at: Time
  created_at: Time
  read_at: MaybeTime
}

export interface NotificationsTables {
  'market.notifications': Notifications
}
