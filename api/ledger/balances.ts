import { sql } from 'kysely'
import { writeGathered } from '../db/gather.ts'
import type { Tx } from '../db/pool.ts'
import type { AccountKind } from './post.ts'
import { standing } from './standing.ts'

/** What stands on one account, in micro-units. Assets are below zero: what is held, against what is owed. */
export interface Balance {
  asset: string
  kind: AccountKind
  owner: string
  balanceMicros: bigint
}

/** Every balance of one owner: a URN, an address or a hold id, as postings name it. */
export async function balancesOf(tx: Tx, owner: string): Promise<Balance[]> {
  await writeGathered(tx)
  const { rows } = await sql<Balance>`
    select account.asset, account.kind, account.owner,
      case when account.is_append_only then ${standing({})} else account.balance end as "balanceMicros"
    from ledger.accounts account
    where account.owner = ${owner}
    order by account.asset, account.kind`.execute(tx)
  return rows
}

/** Opens the account that what a human is owed will stand on, so that it can be read before anything is owed (spec 2.2). */
export async function openPayable(tx: Tx, asset: string, humanUrn: string): Promise<void> {
  await tx
    .insertInto('ledger.accounts')
    .values({ asset, kind: 'payable', owner: humanUrn })
    .onConflict((conflict) => conflict.columns(['asset', 'kind', 'owner']).doNothing())
    .execute()
}
