import { sql } from 'kysely'
import { z } from 'zod'
import { isOwn, type PersonalData, timeText, urnText } from '../db/personalDataRule.ts'
import { defineEvents, urnIn } from '../events/eventType.ts'

const webhook_urn = urnIn('webhook')

export const webhookEvents = defineEvents({
  'webhook.subscription.paused': {
    when: 'The service paused a webhook, because every attempt of a day has failed.',
    payload: z.object({ webhook_urn, status: z.literal('paused') }),
    isSpecified: true,
  },
  'webhook.dead_letter': {
    when: 'A delivery of a webhook was given up. Its own webhook is not told.',
    payload: z.object({ webhook_urn, delivery_id: z.uuid(), event_id: z.uuid(), event_type: z.string() }),
    isSpecified: true,
  },
})

export const webhookPersonalData: PersonalData = {
  tables: {
    'market.webhook_deliveries': {
      deleted: {
        rows: (person) => sql`subscription_id in (
          select id from market.webhook_subscriptions where human_id = ${person.id})`,
        columns: ['body', 'last_response'],
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
        ...['created_at', 'finished_at', 'attempt_log'],
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
          'response_status', sent.last_status, 'response_body', sent.last_response, 'failure', sent.last_failure,
          'created_at', ${timeText('sent.created_at')}, 'last_attempt_at', ${timeText('sent.last_attempt_at')}) as document
        from market.webhook_subscriptions hook
        join market.webhook_deliveries sent on sent.subscription_id = hook.id
        where hook.human_id = ${person.id} and hook.org_id is null`,
    },
  ],
}
