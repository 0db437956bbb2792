import type { Generated } from 'kysely'
import type { Json, MaybeTime, Time } from './columns.ts'

/** As what an account is told of something. */
export type NotificationRole = 'author' | 'assignee' | 'approver' | 'mentioned' | 'watcher' | 'admin'

/** A way that an account is told. */
export type NotificationChannel = 'in_app' | 'push' | 'email'

interface NotificationPrefs {
  account_id: string
  human_id: string
  kinds: Json<{ kind: string; channels: NotificationChannel[] }[]>
  quiet_from: string | null
  quiet_until: string | null
  time_zone: string | null
  hidden_roles: Json<{ role: NotificationRole; until: string }[]>
  updated_at: Time
}

interface PushSubscriptions {
  id: string
  account_id: string
  human_id: string
  endpoint: string
  p256dh: string
  auth: string
  created_at: Time
}

interface Confirmations {
  id: string
  org_id: string
  agent_id: string
  human_id: string
  question: string
  answer: Generated<'confirmed' | 'declined' | null>
  created_at: Time
  expires_at: Date
  answered_at: MaybeTime
  secret_id: string | null
  used_at: MaybeTime
}

interface NotificationSends {
  id: Generated<string>
  notification_id: string
  channel: 'push' | 'email'
  push_subscription_id: string | null
  attempts: Generated<number>
  next_attempt_at: Date
}

interface NotificationMails {
  id: Generated<string>
  human_id: string
  sent_at: Time
}

interface EmailConfirmations {
  id: Generated<string>
  human_id: string
  address_hash: Buffer
  token_hash: Buffer | null
  attempts: Generated<number>
  next_attempt_at: MaybeTime
  created_at: Time
  expires_at: Date
}

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
  confirmation_id: string | null
  actor: string | null
  is_in_app: Generated<boolean>
  due_at: Time
  created_at: Time
  read_at: MaybeTime
}

export interface NotificationsTables {
  'market.confirmations': Confirmations
  'market.email_confirmations': EmailConfirmations
  'market.notification_mails': NotificationMails
  'market.notifications': Notifications
  'market.notification_prefs': NotificationPrefs
  'market.push_subscriptions': PushSubscriptions
  'market.notification_sends': NotificationSends
}
