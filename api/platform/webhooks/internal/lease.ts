import { sql } from 'kysely'
import type { Db } from '../../db/pool.ts'

/** A delivery that this process is sending. The process holds the lease. */
export interface LeasedDelivery {
  id: string
  /** The first day of its partition's month, as 2026-05-01. */
  month: string
  lease_id: string
  subscription_id: string
  account_id: string
  /** The org, for an org's webhook. */
  org_id: string | null
  event_id: string
  event_type: string
  body: string
  /** The trace of the event. */
  traceparent: string | null
  /** Attempts before this one. */
  attempts: number
  url: string
  sealed_secret: Buffer
  /** The former secret, while it still signs. */
  former_secret: Buffer | null
  /**
   * The server's time, in Unix seconds: receivers compare it with theirs. A sandbox's clock does not change
   * it.
   */
  now_seconds: number
}

/** How many deliveries may be leased, and from which webhooks. */
export interface LeaseLimits {
  atMost: number
  /**
   * How many deliveries of one webhook all workers send at once. A webhook whose last attempt failed gets
   * one.
   */
  perWebhook: number
  /** Webhooks that this worker leaves out for now. */
  except: readonly string[]
  leaseSeconds: number
}

/**
 * Leases deliveries that are due. Webhooks take turns: first the oldest delivery of each, then the second of
 * each. Only the first few due deliveries of a webhook are considered, and those being sent count among them:
 * a receiver that hangs takes up no more, however many deliveries wait for it. Concurrent workers never lease
 * the same delivery.
 */
export async function leaseDeliveries(
  db: Db,
  { atMost, perWebhook, except, leaseSeconds }: LeaseLimits,
): Promise<LeasedDelivery[]> {
  const { rows } = await sql<LeasedDelivery>`
    with recursive
    -- The webhooks that something waits for, each found by one look into the index.
    waiting(id) as (
      (select subscription_id from market.webhook_deliveries where finished_at is null
       order by subscription_id limit 1)
      union all
      select (select next.subscription_id from market.webhook_deliveries next
              where next.finished_at is null and next.subscription_id > waiting.id
              order by next.subscription_id limit 1)
      from waiting where waiting.id is not null
    ),
    due as (
      select front.subscription_id, front.sequence, front.month
      from waiting
      join market.webhook_subscriptions hook on hook.id = waiting.id
      cross join lateral (
        select first.*, row_number() over (order by first.next_attempt_at, first.sequence) as place
        from (select delivery.subscription_id, delivery.sequence, delivery.month, delivery.next_attempt_at,
                delivery.leased_until
              from market.webhook_deliveries delivery
              where delivery.subscription_id = hook.id and delivery.finished_at is null
                and delivery.next_attempt_at <= market.now()
              order by delivery.next_attempt_at, delivery.sequence limit ${perWebhook}) first
      ) front
      where hook.status = 'active' and market.may_send(hook) and hook.id <> all (${except}::uuid[])
        and (front.place = 1 or hook.failing_since is null)
        and (front.leased_until is null or front.leased_until < clock_timestamp())
      order by front.place, front.next_attempt_at limit ${atMost}
    ),
    mine as (
      select delivery.subscription_id, delivery.sequence, delivery.month
      from market.webhook_deliveries delivery join due using (subscription_id, sequence, month)
      where delivery.finished_at is null
        and (delivery.leased_until is null or delivery.leased_until < clock_timestamp())
      for update of delivery skip locked
    )
    update market.webhook_deliveries delivery
    set lease_id = gen_random_uuid(), leased_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
    from mine, market.webhook_subscriptions hook
    where delivery.subscription_id = mine.subscription_id and delivery.sequence = mine.sequence
      and delivery.month = mine.month and hook.id = delivery.subscription_id
    returning delivery.id, delivery.month::text, delivery.lease_id, delivery.subscription_id, hook.account_id, hook.org_id, delivery.event_id,
      delivery.event_type, delivery.body, delivery.traceparent, delivery.attempts, hook.url, hook.sealed_secret,
      case when hook.former_until > market.now() then hook.former_secret end as former_secret,
      extract(epoch from clock_timestamp())::float8 as now_seconds`.execute(db)
  return rows
}

/** Releases leased deliveries, unsent or with an unknown result. They are due as before. */
export async function releaseDelivery(db: Db, { id, month, lease_id }: LeasedDelivery): Promise<void> {
  await sql`
    update market.webhook_deliveries set lease_id = null, leased_until = null
    where id = ${id} and month = ${month}::date and lease_id = ${lease_id}`.execute(db)
}
