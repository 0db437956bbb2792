import { type RawBuilder, sql } from 'kysely'
import type { ChainSettings } from '../context.ts'
import type { Tx } from '../db/pool.ts'
import { assetKey } from '../ledger/asset.ts'

/** What one account of the ledger is owed out of the hot wallet. Micro-units. */
export interface Claim {
  accountId: bigint
  account: string
  amountMicros: bigint
}

/** How the tree names an account: the ledger's kind and owner. */
export const accountName: RawBuilder<string> = sql<string>`account.kind || ':' || account.owner`

// Few enough that reading them holds nothing else up.
const AT_ONCE = 2_000

/**
 * What the hot wallet holds for others, account by account, some at a time, in one pass over the books: orders' money,
 * what their sellers have earned, what is on its way, and what came and is nobody's order. Fees are the service's own and
 * not among it; what the contract holds is not in custody.
 */
export async function* readClaims(tx: Tx, chain: ChainSettings): AsyncGenerator<Claim[]> {
  // Money kept apart has its payment's key: whether it came into the wallet or the contract, that posting says.
  const cameIntoWallet = sql`exists (
    select from ledger.transfers transfer
    join ledger.entries entry on entry.transfer_id = transfer.id
    join ledger.accounts asset on asset.id = entry.account_id
    where transfer.key = account.owner and asset.kind = 'hot_wallet')`
  // A cursor takes no parameters.
  await sql`
    declare claims no scroll cursor for
    select account.id as "accountId", ${accountName} as account, account.balance as "amountMicros"
    from ledger.accounts account
    where account.balance > 0 and account.asset = ${sql.lit(assetKey(chain))}
      and (account.kind in ('payable', 'in_transit')
        or account.kind = 'hold' and account.owner like 'market:order:%'
        or account.kind = 'suspense' and ${cameIntoWallet})`.execute(tx)
  for (;;) {
    const { rows } = await sql<Claim>`fetch ${sql.lit(AT_ONCE)} from claims`.execute(tx)
    if (rows.length === 0) break
    yield rows
  }
  await sql`close claims`.execute(tx)
}
