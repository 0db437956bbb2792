import { sql } from 'kysely'
import { formatAmount } from '../../../../protocol/encoding/amounts.ts'
import type { Settings } from '../../../context.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { balanceAsOf } from '../../ledger/balances.ts'
import { assetKey } from '../../ledger/post.ts'
import type { HotWalletBody } from '../routes.ts'

/** Returns the last observation of the hot wallet, and its limits. */
export async function findHotWallet(
  tx: Tx,
  { chain, reserve, rules }: Pick<Settings, 'chain' | 'reserve' | 'rules'>,
): Promise<HotWalletBody> {
  const seen = await tx.selectFrom('market.hot_wallet').selectAll().executeTakeFirst()
  return {
    hot_wallet: chain.hotWallet,
    floor: formatAmount(rules.hotWalletFloorMicros),
    cold_wallet: reserve?.coldWallet ?? null,
    ceiling: reserve ? formatAmount(reserve.ceilingMicros) : null,
    cold_balance: formatAmount(reserve ? await keptMicros(tx, assetKey(chain), reserve.coldWallet) : 0n),
    observed: seen
      ? {
          balance: formatAmount(seen.balance_micros),
          due: formatAmount(seen.due_micros),
          below_floor_since: seen.below_floor_since?.toISOString() ?? null,
          block_number: Number(seen.block_number),
          at: seen.observed_at.toISOString(),
        }
      : null,
  }
}

async function keptMicros(tx: Tx, asset: string, coldWallet: string): Promise<bigint> {
  const { rows } = await sql<{ kept: bigint }>`
    select -${balanceAsOf({})} as kept from ledger.accounts account
    where account.owner_id = ${coldWallet.toLowerCase()} and account.asset = ${asset} and account.kind = 'cold_wallet'`.execute(
    tx,
  )
  return rows[0]?.kept ?? 0n
}
