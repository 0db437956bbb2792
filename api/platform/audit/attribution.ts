import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../db/pool.ts'

/**
 * An arbitrary constant. Sealing, attributing and erasing entries hold this lock, so that none of them sees the others'
 * work half done.
 */
export const AUDIT_LOCK = 4_021_986_503n

const KIND = '^market:([a-z]+):'
const ID = '^market:[a-z]+:([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$'

/**
 * Builds a query for the accounts that some entries concern, as rows of (id, position, account_id, role). An agent's
 * act also concerns its owner. Role `party` means that the entry is about an order or a payout of theirs, which has
 * another party too. `entries` selects from the log, as a condition on `entry`.
 */
export function attributions(entries: RawBuilder<boolean>): RawBuilder<unknown> {
  return sql`
    select entry.id, entry.position, concerned.account_id, min(concerned.role) as role
    from (
      select id, position, substring(actor from ${KIND}) as actor_kind, substring(actor from ${ID})::uuid as actor_id,
        substring(subject from ${KIND}) as subject_kind, substring(subject from ${ID})::uuid as subject_id
      from market.audit_log entry where ${entries}
    ) entry
    cross join lateral (
      select account_id, 'actor' as role from (${accountsOf('actor')}) acting
      union all
      select account_id, case when entry.subject_kind in ('order', 'payout') then 'party' else 'subject' end
      from (${accountsOf('subject')}) touched
    ) concerned
    where concerned.account_id is not null
    group by entry.id, entry.position, concerned.account_id`
}

/** Stores which accounts concern up to `limit` sealed entries. Needs the audit lock. */
export async function attributeSealed(tx: Tx, limit: number): Promise<void> {
  const { rows } = await sql<{ id: bigint }>`
    select id from market.audit_log where not is_attributed and position is not null
    order by id limit ${limit}`.execute(tx)
  if (rows.length === 0) return
  const ids = rows.map(({ id }) => id)
  await sql`
    insert into market.audit_accounts (account_id, position, role)
    select account_id, position, role from (${attributions(sql`entry.id = any(${ids}::bigint[])`)}) concerned
    on conflict do nothing`.execute(tx)
  await sql`update market.audit_log set is_attributed = true where id = any(${ids}::bigint[])`.execute(tx)
}

function accountsOf(side: 'actor' | 'subject'): RawBuilder<unknown> {
  const [kind, id] = [sql.ref(`entry.${side}_kind`), sql.ref(`entry.${side}_id`)]
  return sql`
    select ${id} as account_id where ${kind} = 'human'
    union all
    select unnest(array[agent.id, agent.owner_id]) from market.agents agent where ${kind} = 'agent' and agent.id = ${id}
    union all
    select unnest(array[token.human_id, token.agent_id]) from market.tokens token where ${kind} = 'token' and token.id = ${id}
    union all
    select unnest(array[wallet.owner_id, wallet.account_id]) from market.wallets wallet
    where ${kind} = 'wallet' and wallet.id = ${id}
    union all
    select taken.human_id from market.exports taken where ${kind} = 'export' and taken.id = ${id}
    union all
    select unnest(array[hook.human_id, case when hook.org_id is null then hook.account_id end]) from market.webhook_subscriptions hook
    where ${kind} = 'webhook' and hook.id = ${id}
    union all
    select unnest(array[payout.human_id, payout.agent_id]) from market.payouts payout
    where ${kind} = 'payout' and payout.id = ${id}
    union all
    select unnest(array[party.id, party.owner_id]) from market.orders traded
    join market.agents party on party.id in (traded.buyer_id, traded.seller_id)
    where ${kind} = 'order' and traded.id = ${id}`
}
