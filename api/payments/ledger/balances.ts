import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/pool.ts'
import type { AccountKind } from './generated/accountKinds.ts'
import type { Owner } from './post.ts'

/**
 * The balance of one account, in micro-units. Asset accounts, which show our holdings, are negative;
 * liabilities are positive.
 */
export interface Balance {
  asset: string
  kind: AccountKind
  balanceMicros: bigint
}

/** Returns every balance of one owner. */
export async function balancesOf(db: Db, owner: Owner): Promise<Balance[]> {
  const { rows } = await sql<Balance>`
    select account.asset, account.kind, coalesce(account.balance, ${balanceAsOf({})}) as "balanceMicros"
    from ledger.accounts account
    where account.owner_id = ${owner.id} and account.owner_type = ${owner.type}
    order by account.asset, account.kind`.execute(db)
  return rows
}

/** Opens the account of a human's earnings, so that it can be read before it has entries (spec 2.2). */
export async function openPayable(db: Db, asset: string, humanId: string): Promise<void> {
  await sql`select ledger.open_account(${asset}, 'payable', 'human', ${humanId})`.execute(db)
}

/** Which entries count: those booked before an instant, and those up to the last entry of a statement. */
export interface Until {
  /** Only entries booked before this instant; all entries if undefined. */
  before?: Date | RawBuilder<unknown> | undefined
  /** No entry with a greater id. */
  lastEntryId?: bigint
}

/**
 * Returns SQL for the balance, in micro-units, of the account that the query aliases as `account`: the newest
 * snapshot that covers only entries that count, plus the later entries.
 */
export function balanceAsOf({ before, lastEntryId }: Until): RawBuilder<bigint> {
  const end = before === undefined ? sql`'infinity'::timestamptz` : sql`${before}::timestamptz`
  const within = (id: string) => (lastEntryId === undefined ? sql`true` : sql`${sql.ref(id)} <= ${lastEntryId}`)
  return sql<bigint>`(
    select coalesce(known.balance, 0) + coalesce((
        select sum(entry.amount) from ledger.entries entry
        where entry.account_id = account.id and entry.created_at > coalesce(known.through, '-infinity')
          and entry.created_at < ${end} and ${within('entry.id')}), 0)::bigint
    from (values (account.id)) as counted (id)
    left join lateral (
      select through, balance from ledger.snapshots snapshot
      where snapshot.account_id = counted.id and snapshot.through < ${end} and ${within('snapshot.last_entry_id')}
      order by through desc limit 1) known on true)`
}
