import { sql } from 'kysely'
import { getAddress } from 'viem'
import { formatAmount } from '../../../../protocol/encoding/amounts.ts'
import { urn } from '../../../../protocol/encoding/urn.ts'
import type { ChainSettings } from '../../../context.ts'
import { readClock } from '../../../platform/db/clock.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { balanceAsOf } from '../balances.ts'
import { assetKey } from '../post.ts'
import type { BalancesBody } from '../routes.ts'

type Place = 'payable' | 'in_transit' | 'held' | 'kept_apart' | 'contract_held' | 'claimable'

/**
 * Returns the ledger's balances of a human and their agents from everything booked before an instant
 * (default: now).
 */
export async function readHoldings(
  tx: Tx,
  chain: ChainSettings,
  humanId: string,
  at: Date | undefined,
): Promise<BalancesBody> {
  const asOf = at ?? (await readClock(tx))
  const rows = await sumsOf(tx, { asset: assetKey(chain), humanId, before: at })
  const sums = new Map<Place, bigint>()
  for (const { place, sum } of rows) sums.set(place, (sums.get(place) ?? 0n) + sum)
  const [payable, inTransit] = [sums.get('payable') ?? 0n, sums.get('in_transit') ?? 0n]
  const [held, keptApart] = [sums.get('held') ?? 0n, sums.get('kept_apart') ?? 0n]
  return {
    owner_urn: urn('human', humanId),
    asset: assetKey(chain),
    as_of: asOf.toISOString(),
    custody: {
      payable: formatAmount(payable),
      in_transit: formatAmount(inTransit),
      held: formatAmount(held),
      kept_apart: formatAmount(keptApart),
      total: formatAmount(payable + inTransit + held + keptApart),
    },
    contract: {
      held: formatAmount(sums.get('contract_held') ?? 0n),
      claimable: formatAmount(sums.get('claimable') ?? 0n),
      wallets: rows.flatMap(({ wallet, sum }) =>
        wallet === null || sum === 0n ? [] : [{ address: getAddress(wallet), claimable: formatAmount(sum) }],
      ),
    },
  }
}

/** What stands in a place; of what is to be withdrawn from the contract, by its wallet. */
interface Sum {
  place: Place
  wallet: string | null
  sum: bigint
}

/**
 * Sums every account that belongs to a human, directly or through agents and orders. Their wallets are those
 * they ever bound, and those that signed a payment for an order of theirs, unless another owner has bound
 * them: a refund goes to the wallet that paid.
 */
async function sumsOf(
  tx: Tx,
  { asset, humanId, before }: { asset: string; humanId: string; before: Date | undefined },
): Promise<Sum[]> {
  const agents = sql`(select id from market.agents where owner_id = ${humanId})`
  const { rows } = await sql<Sum>`
    with named (place, kind, owner_type, owner_id) as (
      select 'payable', 'payable', 'human', ${humanId}::text
      union all select 'in_transit', 'in_transit', 'payout', id::text from market.payouts where human_id = ${humanId}
      union all select 'kept_apart', 'suspense', 'event', 'payment:' || deposit_from || ':' || deposit_nonce
        from market.payouts where human_id = ${humanId} and leg = 'payer' and parked_at is not null
      union all select 'held', 'hold', 'order', id::text from market.orders
        where buyer_id in ${agents} and escrow_mode = 'custodied'
      union all select 'held', 'hold', 'dispute', dispute_id::text from market.appeal_fees
        where agent_id in ${agents} and payer is not null
      union all select 'contract_held', 'hold', 'hold', hold.hold_key from market.orders paid
        join market.holds hold on hold.order_id = paid.id where paid.buyer_id in ${agents} and hold.hold_key is not null
      union all select 'claimable', 'claimable', 'address', address from (
        select address from market.wallet_owners where owner_id = ${humanId}
        union select filed.payer from market.orders bought join market.authorizations filed on filed.order_id = bought.id
          where bought.buyer_id in ${agents} and bought.escrow_mode = 'contract' and not exists (
            select from market.wallet_owners bound where bound.address = filed.payer and bound.owner_id <> ${humanId})) own)
    select named.place, case named.place when 'claimable' then named.owner_id end as wallet, sum(${before === undefined ? sql`account.balance` : balanceAsOf({ before })})::bigint as sum
    from named
    join ledger.accounts account
      on account.owner_id = named.owner_id and account.owner_type = named.owner_type and account.kind = named.kind
      and account.asset = ${asset}
    group by 1, 2 order by 2`.execute(tx)
  return rows
}
