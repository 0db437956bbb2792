import { type RawBuilder, sql } from 'kysely'
import { Problem } from '../../errors.ts'
import type { Tx } from '../../platform/db/pool.ts'

const OPEN_PAYOUT = sql`('pending', 'blocked', 'submitted')`

/** How long the material that decided a dispute is kept unchanged. */
const DISPUTE_RECORD_DAYS = 90

/**
 * Throws erase_blocked, with every reason and how often it applies, while a human or their agents have open money,
 * orders or disputes, or other humans depend on them. The human must be locked.
 */
export async function requireErasable(tx: Tx, humanId: string): Promise<void> {
  const { rows } = await sql<{ code: string; count: number }>`
    with agent as materialized (select id from market.agents where owner_id = ${humanId}),
      traded as materialized (
        select id, state, suspended_at from market.orders where buyer_id in (select id from agent)
        union
        select id, state, suspended_at from market.orders where seller_id in (select id from agent)
      )
    ${sql.join(reasons(humanId), sql` union all `)}`.execute(tx)
  const found = rows.filter(({ count }) => count > 0)
  if (found.length === 0) return
  throw new Problem('erase_blocked', {
    detail: 'Something of yours is still open, as the reasons say. Settle it, and ask again.',
    reasons: found,
  })
}

function reasons(humanId: string): RawBuilder<unknown>[] {
  return [
    counted(
      'orders_open',
      sql`traded where state not in ('final', 'cancelled', 'disputed') or suspended_at is not null`,
    ),
    counted('disputes_open', sql`traded where state = 'disputed'`),
    counted(
      'disputes_recent',
      sql`traded join market.disputes dispute on dispute.order_id = traded.id
      where dispute.closed_at > market.now() - make_interval(days => ${DISPUTE_RECORD_DAYS})`,
    ),
    counted(
      'money_held',
      sql`traded join market.holds hold on hold.order_id = traded.id
      where hold.status = 'held' and traded.state in ('final', 'cancelled')`,
    ),
    counted(
      'payments_pending',
      sql`(
      select payment.id::text from traded join market.authorizations payment on payment.order_id = traded.id
        where payment.state = 'pending' and traded.state in ('final', 'cancelled')
      union all
      select stray.key from traded join market.unmatched_payments stray on stray.order_id = traded.id
        where stray.status in ('waiting', 'adopting', 'returning')) pending`,
    ),
    counted(
      'payouts_open',
      sql`(
      select id from market.payouts where human_id = ${humanId} and state in ${OPEN_PAYOUT}
      union
      select id from market.payouts where agent_id in (select id from agent) and state in ${OPEN_PAYOUT}
      union
      select payout.id from traded join market.payouts payout on payout.order_id = traded.id
        where payout.state in ${OPEN_PAYOUT}) payout`,
    ),
    counted(
      'balance_owed',
      sql`ledger.accounts where owner_id = ${humanId}::text and owner_type = 'human' and balance > 0`,
    ),
    counted(
      'claimable_unwithdrawn',
      sql`(
      select address from market.wallet_owners where owner_id = ${humanId}
      union
      select hold.payer from market.orders bought join market.holds hold on hold.order_id = bought.id
        where bought.buyer_id in (select id from agent)) own
      join ledger.accounts credit on credit.owner_id = own.address and credit.kind = 'claimable' and credit.balance > 0`,
    ),
    counted(
      'org_last_owner',
      sql`market.org_members own where human_id = ${humanId} and role = 'owner'
      and exists (select from market.org_members other where other.org_id = own.org_id and other.human_id <> own.human_id)
      and not exists (select from market.org_members other
        where other.org_id = own.org_id and other.human_id <> own.human_id and other.role = 'owner')`,
    ),
    counted('operator_role', sql`market.humans where id = ${humanId} and role = 'operator'`),
  ]
}

function counted(code: string, from: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select ${code}::text as code, count(*)::integer as count from ${from}`
}
