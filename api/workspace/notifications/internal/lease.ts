import { sql } from 'kysely'
import type { Db } from '../../../platform/db/pool.ts'

/** How long after each attempt the next one is due, in seconds. The attempt itself may take this long. */
const RETRY_SECONDS = [60, 300, 1_800, 7_200, 21_600, 43_200]

/** A message about a notification that this process sends now: to a device, or in a mail. */
export interface LeasedSend {
  id: string
  /** Attempts, this one included. */
  attempts: number
  notification_id: string
  kind: string
  entity_type: string
  entity_id: string
  short_id: string | null
  /** Null for notifications of trades. */
  org: string | null
  /** The device, for push. */
  endpoint: string | null
  p256dh: string | null
  auth: string | null
  device_id: string | null
  /**
   * False once it was read (unless it is urgent), answered or moot, or if the account may not read it any
   * more: it left the org or the space, or is an agent that is shut out.
   */
  is_wanted: boolean
}

/** Whether another attempt is made after this many. */
export function isLastAttempt(attempts: number): boolean {
  return attempts >= RETRY_SECONDS.length
}

/** The fields to show of the sends that a statement takes as `mine`. */
export const SHOWN = sql`
    select mine.id, mine.attempts, told.id as notification_id, told.kind, told.entity_type, told.entity_id,
      told.short_id, org.slug as org, device.endpoint, device.p256dh, device.auth, device.id as device_id,
      (told.read_at is null or mine.is_urgent) and human.erased_at is null
        and (told.org_id is null
          or member.human_id is not null and market.sees_space(told.org_id, told.human_id, told.space_id))
        and (told.account_id = told.human_id or org.agents_stopped_at is null)
        and shut_out.agent_id is null and market.is_open(told.confirmation_id) and market.is_current(told) as is_wanted
    from mine
    join market.notifications told on told.id = mine.notification_id
    left join market.orgs org on org.id = told.org_id
    join market.humans human on human.id = told.human_id
    left join market.org_members member on member.org_id = told.org_id and member.human_id = told.human_id
    left join market.org_agents shut_out
      on shut_out.org_id = told.org_id and shut_out.agent_id = told.account_id and shut_out.state <> 'active'
    left join market.push_subscriptions device on device.id = mine.push_subscription_id`

/** When the next attempt of `send` is due, for an account with `prefs`. */
export const NEXT_ATTEMPT = sql`market.after_quiet_hours(
  market.now() + make_interval(secs => (${RETRY_SECONDS}::int[])[greatest(1, least(send.attempts + 1, ${RETRY_SECONDS.length}))]),
  prefs.quiet_from, prefs.quiet_until, prefs.time_zone)`

/**
 * Leases the messages that are due to devices, oldest first, up to a limit. Concurrent workers never lease
 * the same ones. Another attempt is due after quiet hours, as the first one was.
 */
export async function leaseSends(db: Db, atMost: number): Promise<LeasedSend[]> {
  const { rows } = await sql<LeasedSend>`
    with due as (
      select id, notification_id from market.notification_sends
      where channel = 'push' and next_attempt_at <= market.now()
      order by next_attempt_at limit ${atMost} for update skip locked
    ), mine as (
      update market.notification_sends send
      set attempts = send.attempts + 1, next_attempt_at = ${NEXT_ATTEMPT}
      from due
      join market.notifications told on told.id = due.notification_id
      left join market.notification_prefs prefs on prefs.account_id = told.account_id
      where send.id = due.id
      returning send.*
    ) ${SHOWN}`.execute(db)
  return rows
}
