import { sql } from 'kysely'
import { z } from 'zod'
import type { Module } from '../../module.ts'
import { isOwn, type PersonalData, timeText, urnText } from '../db/personalDataRule.ts'
import { defineEvents, urnIn } from '../events/eventType.ts'
import { webhookProblems } from './problems.ts'

const DAY = 86_400

const webhook_urn = urnIn('webhook')

export const webhookEvents = defineEvents({
  'webhook.subscription.paused': {
    when: 'The service paused a webhook, because all attempts of a day failed.',
    payload: z.object({ webhook_urn, status: z.literal('paused') }),
    isSpecified: true,
  },
  'webhook.dead_letter': {
    when: 'The service gave up a delivery. Your other webhooks receive this event.',
    payload: z.object({ webhook_urn, delivery_id: z.uuid(), event_id: z.uuid(), event_type: z.string() }),
    isSpecified: true,
  },
})

const personalData: PersonalData = {
  tables: {
    'market.webhook_deliveries': {
      deleted: {
        rows: (person) => sql`subscription_id in (
          select id from market.webhook_subscriptions where human_id = ${person.id})`,
        columns: ['body', 'last_response', 'last_headers'],
      },
      plain: [
        ...[
          'sequence',
          'month',
          'id',
          'subscription_id',
          'event_id',
          'event_type',
          'status',
          'attempts',
          'next_attempt_at',
        ],
        ...['lease_id', 'leased_until', 'last_attempt_at', 'last_status', 'last_latency_ms', 'last_failure'],
        ...['created_at', 'finished_at', 'attempt_log', 'traceparent'],
      ],
    },
    'market.webhook_subscriptions': {
      deleted: {
        rows: isOwn('human_id'),
        columns: ['url', 'event_types', 'secret_hash', 'sealed_secret', 'former_secret'],
      },
      plain: [
        ...['id', 'account_id', 'human_id', 'status', 'status_reason', 'former_until', 'failing_since', 'failures'],
        ...['created_at', 'updated_at', 'org_id', 'spaces', 'agent_id'],
      ],
    },
  },
  sections: [
    {
      name: 'webhooks',
      rows: (person) => sql`
        select hook.id, jsonb_build_object('urn', ${urnText('webhook', 'hook.id')}, 'owner_urn',
          case when hook.account_id = hook.human_id then ${urnText('human', 'hook.human_id')}
            else ${urnText('agent', 'hook.account_id')} end,
          'url', hook.url, 'event_types', hook.event_types, 'status', hook.status,
          'created_at', ${timeText('hook.created_at')}, 'updated_at', ${timeText('hook.updated_at')}) as document
        from market.webhook_subscriptions hook where hook.human_id = ${person.id} and hook.org_id is null`,
    },
    {
      name: 'webhook_deliveries',
      rows: (person) => sql`
        select sent.id, jsonb_build_object('id', sent.id, 'webhook_urn', ${urnText('webhook', 'sent.subscription_id')},
          'event', sent.body::jsonb, 'status', sent.status, 'attempts', sent.attempts,
          'response_status', sent.last_status, 'response_headers', sent.last_headers,
          'response_body', sent.last_response, 'failure', sent.last_failure,
          'created_at', ${timeText('sent.created_at')}, 'last_attempt_at', ${timeText('sent.last_attempt_at')}) as document
        from market.webhook_subscriptions hook
        join market.webhook_deliveries sent on sent.subscription_id = hook.id
        where hook.human_id = ${person.id} and hook.org_id is null`,
    },
  ],
}

const rules = {
  /** How many webhooks an account can have. */
  maxWebhooks: 20,
  /** How long an attempt of a webhook may take in total. */
  webhookTimeoutSeconds: 30,
  /** How long an attempt of an org's webhook may take in total. */
  orgWebhookTimeoutSeconds: 10,
  /** How many attempts may run at once for one webhook. */
  webhookConcurrency: 4,
  /** How many attempts each worker starts per second for one webhook, on average. */
  webhookRatePerSecond: 50,
  /** How long the former secret also signs after a rotation. */
  webhookOverlapSeconds: DAY,
  /** How long a webhook's deliveries are kept, and its dead letters can be replayed. */
  webhookRetentionSeconds: 30 * DAY,
  /** A webhook is paused once every attempt has failed for this long, with at least this many attempts. */
  webhookPauseSeconds: DAY,
  webhookPauseAttempts: 10,
}

/** What the service knows through this folder. */
export const webhooks = {
  events: webhookEvents,
  problems: webhookProblems,
  rules,
  personalData,
  schema: ['api/platform/webhooks/schema.sql'],
} satisfies Module
