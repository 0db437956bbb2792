import { sql } from 'kysely'
import { newId } from '../../../protocol/encoding/ids.ts'
import type { Tx } from '../../platform/db/pool.ts'
import type { Member } from '../membership.ts'
import type { NoticeKind } from './kinds.ts'

/** A notification for accounts. */
export interface Notice {
  kind: Pick<NoticeKind, 'name' | 'role'>
  /** Null for notifications of trades, which go to each recipient. */
  orgId: string | null
  /** Ids of humans and agents. */
  recipients: readonly string[]
  entity: { type: string; id: string; short_id: string | null }
  /** The space that it is about. Null if it is about none. */
  spaceId: string | null
  /** The account that caused it. Null if the service did. */
  by: Pick<Member, 'accountId' | 'urn'> | null
  /** The question that it is: it is shown and sent while the question is pending. */
  confirmationId?: string
  /**
   * The event of a trade that it is about. An account that was notified of this event is not notified again.
   */
  cause?: string
  /** Goes out at once by every channel, whatever the account's preferences are, and even if it was read. */
  isUrgent?: true | undefined
}

/**
 * Notifies accounts, in the transaction of the change: each once, except the account that made the change,
 * and accounts that are not in the org or do not see the space (an agent is in the orgs of its owner).
 */
export async function notify(tx: Tx, notice: Notice): Promise<void> {
  const { kind, orgId, recipients, entity, spaceId, by, confirmationId = null, cause = null, isUrgent = false } = notice
  const accounts = [...new Set(recipients)].filter((id) => id !== by?.accountId)
  if (accounts.length === 0) return
  const { name, role } = kind
  await sql`
    with told as (
      select told.id, told.account_id, human.id as human_id,
        case when ${isUrgent}::boolean then '["in_app", "push", "email"]' else coalesce(choice->'channels', '["in_app", "push"]') end
          as channels,
        case when ${isUrgent}::boolean then market.now() else market.after_quiet_hours(
          greatest(market.now(), (select max((hidden->>'until')::timestamptz)
            from jsonb_array_elements(prefs.hidden_roles) hidden where hidden->>'role' = ${role})),
          case when (choice->>'in_quiet_hours')::boolean then null else prefs.quiet_from end, prefs.quiet_until,
          prefs.time_zone) end as due_at
      from unnest(${accounts.map(() => newId())}::uuid[], ${accounts}::uuid[]) told(id, account_id)
      left join market.agents agent on agent.id = told.account_id
      join market.humans human on human.id = coalesce(agent.owner_id, told.account_id) and human.erased_at is null
      left join market.notification_prefs prefs on prefs.account_id = told.account_id
      left join lateral (select choice from jsonb_array_elements(prefs.kinds) choice where choice->>'kind' = ${name}) chosen on true
      where ${orgId}::uuid is null or exists (
        select from market.org_members member where member.org_id = ${orgId} and member.human_id = human.id)
        and market.sees_space(${orgId}, human.id, ${spaceId})
    ), written as (
      insert into market.notifications (id, org_id, account_id, human_id, kind, role, entity_type, entity_id, short_id,
        space_id, actor, confirmation_id, cause, is_in_app, due_at)
      select id, ${orgId}::uuid, account_id, human_id, ${name}, ${role}, ${entity.type}, ${entity.id}, ${entity.short_id},
        ${spaceId}, ${by?.urn ?? null}, ${confirmationId}::uuid, ${cause}::uuid, channels ? 'in_app', due_at
      from told
      on conflict (cause, account_id) where cause is not null do nothing
      returning id
    ), fresh as (
      select told.* from told join written on written.id = told.id
    )
    insert into market.notification_sends (notification_id, channel, push_subscription_id, next_attempt_at, is_urgent)
    select fresh.id, 'push', device.id, fresh.due_at, ${isUrgent}::boolean
    from fresh join market.push_subscriptions device on device.account_id = fresh.account_id where fresh.channels ? 'push'
    union all
    select id, 'email', null, due_at, ${isUrgent}::boolean from fresh where channels ? 'email' and account_id = human_id`.execute(
    tx,
  )
}

/** Returns those of some accounts that have no notification of a kind about a thing of an org. */
export async function withoutNotified(
  tx: Tx,
  accounts: readonly string[],
  { kind, orgId, entityId }: { kind: string; orgId: string; entityId: string },
): Promise<string[]> {
  if (accounts.length === 0) return []
  const rows = await tx
    .selectFrom('market.notifications')
    .select('account_id')
    .where('cause', 'is', null)
    .where('entity_id', '=', entityId)
    .where('org_id', '=', orgId)
    .where('kind', '=', kind)
    .execute()
  const notified = new Set(rows.map(({ account_id }) => account_id))
  return accounts.filter((id) => !notified.has(id))
}

/** Withdraws the messages about a thing of an org that are not sent yet. Its notifications stay in lists. */
export async function withdrawMessages(tx: Tx, orgId: string, entityId: string): Promise<void> {
  const about = tx
    .selectFrom('market.notifications')
    .select('id')
    .where('cause', 'is', null)
    .where('entity_id', '=', entityId)
    .where('org_id', '=', orgId)
  await tx.deleteFrom('market.notification_sends').where('notification_id', 'in', about).execute()
}

/** Returns the owners and admins of an org. */
export async function managersOf(tx: Tx, orgId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('market.org_members')
    .select('human_id')
    .where('org_id', '=', orgId)
    .where('role', 'in', ['owner', 'admin'])
    .execute()
  return rows.map(({ human_id }) => human_id)
}

/** Returns the id in the URN of an account, as in `created_by`. */
export function accountIdOf(urn: string): string {
  return urn.slice(urn.lastIndexOf(':') + 1)
}
