import { sql } from 'kysely'
import type { Module, Perishable } from '../../module.ts'
import { isOwn, type PersonalData, timeText, urnText } from '../../platform/db/personalDataRule.ts'
import { defineNotices } from './kinds.ts'
import { pushProblems } from './problems.ts'

const HOUR_SECONDS = 3_600

export const erasureNotices = defineNotices({
  'erasure.requested': { title: 'Your account will be erased, unless you cancel it', role: 'payee' },
  'erasure.cancelled': { title: 'The erasure of your account was cancelled', role: 'payee' },
})

export const deviceNotices = defineNotices({
  'push.device_removed': {
    title: 'A push device was removed: its push service refused every message for a week',
    role: 'payee',
  },
})

const personalData: PersonalData = {
  tables: {
    'market.notifications': {
      deleted: { rows: isOwn('human_id'), columns: ['kind', 'role', 'entity_type', 'entity_id', 'short_id', 'actor'] },
      plain: [
        'id',
        'org_id',
        'account_id',
        'human_id',
        'space_id',
        'due_at',
        'created_at',
        'read_at',
        'is_in_app',
        'confirmation_id',
        'cause',
      ],
    },
    'market.notification_prefs': {
      deleted: {
        rows: isOwn('human_id'),
        columns: ['kinds', 'quiet_from', 'quiet_until', 'time_zone', 'hidden_roles'],
      },
      plain: ['account_id', 'human_id', 'updated_at'],
    },
    'market.push_subscriptions': {
      deleted: { rows: isOwn('human_id'), columns: ['endpoint', 'p256dh', 'auth', 'browser'] },
      plain: ['id', 'account_id', 'human_id', 'created_at', 'last_success_at', 'refused_since'],
    },
    // Deleted with their notification, or their device.
    'market.notification_sends': {
      plain: ['id', 'notification_id', 'channel', 'push_subscription_id', 'attempts', 'next_attempt_at', 'is_urgent'],
    },
    'market.notification_mails': { plain: ['id', 'human_id', 'sent_at'] },
  },
  sections: [
    {
      name: 'notifications',
      rows: (person) => sql`
        select told.id, jsonb_build_object('id', told.id, 'org_urn', ${urnText('org', 'told.org_id')}, 'kind', told.kind,
          'role', told.role, 'entity_type', told.entity_type, 'entity_id', told.entity_id, 'due_at', ${timeText('told.due_at')}, 'read_at', ${timeText('told.read_at')}) as document
        from market.notifications told where told.human_id = ${person.id}`,
    },
    {
      name: 'notification_prefs',
      rows: (person) => sql`
        select account_id as id, jsonb_build_object('account_id', account_id, 'kinds', kinds, 'quiet_from', quiet_from,
          'quiet_until', quiet_until, 'time_zone', time_zone, 'hidden_roles', hidden_roles) as document
        from market.notification_prefs where human_id = ${person.id}`,
    },
    {
      name: 'push_subscriptions',
      rows: (person) => sql`
        select id, jsonb_build_object('id', id, 'endpoint', endpoint, 'browser', browser, 'created_at', ${timeText('created_at')}) as document
        from market.push_subscriptions where human_id = ${person.id}`,
    },
  ],
}

const rules = {
  /**
   * How many notification mails a person gets in an hour. Further notifications wait, and are sent in one
   * mail.
   */
  maxHourlyMails: 4,
}

const perishable: readonly Perishable[] = [
  {
    table: 'market.notifications',
    key: ['id'],
    end: 'due_at',
    keptSeconds: ({ eventRetentionSeconds }) => eventRetentionSeconds,
  },
  // It counts mails for a limit: its rows are kept for as long as they count.
  { table: 'market.notification_mails', key: ['id'], end: 'sent_at', keptSeconds: () => HOUR_SECONDS },
]

/** What the service knows through this folder. */
export const notifications = {
  notices: { ...erasureNotices, ...deviceNotices },
  problems: pushProblems,
  rules,
  personalData,
  perishable,
  schema: ['api/workspace/notifications/schema.sql'],
} satisfies Module
