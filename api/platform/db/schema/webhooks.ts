import type { ColumnType, Generated } from 'kysely'
import type { MaybeTime, Time } from './columns.ts'

interface WebhookSubscriptions {
  id: string
  account_id: string
  human_id: string
  agent_id: Generated<string | null>
  url: string
  event_types: string[]
  org_id: Generated<string | null>
  spaces: Generated<string[] | null>
  status: Generated<'active' | 'paused' | 'disabled'>
  status_reason: ColumnType<StatusReason | null, StatusReason | null | undefined, StatusReason | null>
  secret_hash: string
  sealed_secret: Buffer
  former_secret: ColumnType<Buffer | null, Buffer | null | undefined, Buffer | null>
  former_until: MaybeTime
  failing_since: MaybeTime
  failures: Generated<number>
  created_at: Time
  updated_at: Time
}

type StatusReason = 'owner' | 'failing' | 'operator' | 'deactivated' | 'gone'

/** An attempt of a delivery: its status, or why there was none. */
export interface LoggedAttempt {
  attempted_at: string
  status_code: number | null
  latency_ms: number
  failure: string | null
}

interface WebhookDeliveries {
  sequence: Generated<bigint>
  id: Generated<string>
  subscription_id: string
  event_id: string
  event_type: string
  body: string
  status: Generated<'pending' | 'retrying' | 'delivered' | 'dead_letter'>
  attempts: Generated<number>
  next_attempt_at: MaybeTime
  lease_id: Generated<string | null>
  leased_until: MaybeTime
  last_attempt_at: MaybeTime
  last_status: Generated<number | null>
  last_latency_ms: Generated<number | null>
  last_failure: Generated<string | null>
  last_response: Generated<string | null>
  attempt_log: ColumnType<LoggedAttempt[], string | undefined, string>
  created_at: Time
  finished_at: MaybeTime
}

export interface WebhooksTables {
  'market.webhook_subscriptions': WebhookSubscriptions
  'market.webhook_deliveries': WebhookDeliveries
}
