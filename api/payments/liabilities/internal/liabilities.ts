import { type RawBuilder, sql } from 'kysely'
import type { ChainSettings } from '../../../context.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { assetKey } from '../../ledger/post.ts'

/** The debt of the hot wallet to one ledger account, in micro-units. */
export interface Liability {
  accountId: bigint
  account: string
  amountMicros: bigint
}

/** The name of an account in the tree: the ledger's kind and owner. */
export const accountName: RawBuilder<string> = sql<string>`
  account.kind || ':' || ledger.owner_name(account.owner_type, account.owner_id)`

// The batch size: small enough that a read blocks nothing else.
const AT_ONCE = 2_000

/**
 * Yields the hot wallet's debts, account by account in batches, in one pass over the ledger: orders' money,
 * sellers' earnings, payouts in transit, and stray payments. Excludes fees, which are the service's own, and
 * money in the contract, which is not in custody.
 */
export async function* readLiabilities(tx: Tx, chain: ChainSettings): AsyncGenerator<Liability[]> {
  // A stray payment's account has the key of its payment. The payment's posting shows whether it reached the
  // wallet or the contract.
  const cameIntoWallet = sql`exists (
    select from ledger.transfers transfer
    join ledger.entries entry on entry.transfer_id = transfer.id
    join ledger.accounts asset on asset.id = entry.account_id
    where transfer.key = account.owner_id and asset.kind = 'hot_wallet')`
  // DECLARE CURSOR takes no parameters.
  await sql`
    declare liabilities no scroll cursor for
    select account.id as "accountId", ${accountName} as account, account.balance as "amountMicros"
    from ledger.accounts account
    where account.balance > 0 and account.asset = ${sql.lit(assetKey(chain))}
      and (account.kind in ('payable', 'in_transit')
        or account.kind = 'hold' and account.owner_type <> 'hold'
        or account.kind = 'suspense' and ${cameIntoWallet})`.execute(tx)
  for (;;) {
    const { rows } = await sql<Liability>`fetch ${sql.lit(AT_ONCE)} from liabilities`.execute(tx)
    if (rows.length === 0) break
    yield rows
  }
  await sql`close liabilities`.execute(tx)
}
