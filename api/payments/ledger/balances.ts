import { sql } from 'kysely'
import type { Db } from '../../platform/db/pool.ts'
import { balanceAsOf } from './balanceAsOf.ts'
import type { AccountKind } from './generated/accountKinds.ts'
import type { Owner } from './post.ts'

/** The balance of one account, in micro-units. Asset accounts are negative: what we hold, against what we owe. */
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

/** Opens the account of what a human is owed, so that it can be read before it has entries (spec 2.2). */
export async function openPayable(db: Db, asset: string, humanId: string): Promise<void> {
  await sql`select ledger.open_account(${asset}, 'payable', 'human', ${humanId})`.execute(db)
}
