import { sql } from 'kysely'
import { formatAmount } from '../../protocol/amounts.ts'
import { urn, urnString } from '../../protocol/urn.ts'
import type { ChainSettings } from '../context.ts'
import { readClock } from '../db/clock.ts'
import type { Tx } from '../db/pool.ts'
import { assetKey } from './asset.ts'
import type { BalancesBody } from './routes.ts'
import { standing } from './standing.ts'

type Place = 'payable' | 'in_transit' | 'held' | 'kept_apart' | 'contract_held' | 'claimable'

/** What the ledger has for a human and their agents, from everything that was booked before an instant: now by default. */
export async function readHoldings(
  tx: Tx,
  chain: ChainSettings,
  humanId: string,
  at: Date | undefined,
): Promise<BalancesBody> {
  const asOf = at ?? (await readClock(tx))
  const sums = await sumsOf(tx, { asset: assetKey(chain), humanId, before: at })
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
    },
  }
}

/** Every account that is a human's by one way or another, and what was booked on it. Each is an account of its own. */
async function sumsOf(
  tx: Tx,
  { asset, humanId, before }: { asset: string; humanId: string; before: Date | undefined },
): Promise<Map<Place, bigint>> {
  const agents = sql`(select id from market.agents where owner_id = ${humanId})`
  const { rows } = await sql<{ place: Place; sum: bigint }>`
    with named (place, kind, owner) as (
      select 'payable', 'payable', ${urnString('human', humanId)}::text
      union all select 'in_transit', 'in_transit', 'market:payout:' || id from market.payouts where human_id = ${humanId}
      union all select 'kept_apart', 'suspense', 'payment:' || deposit_from || ':' || deposit_nonce
        from market.payouts where human_id = ${humanId} and leg = 'payer' and parked_at is not null
      union all select 'held', 'hold', 'market:order:' || id from market.orders
        where buyer_id in ${agents} and escrow_mode = 'custodied'
      union all select 'contract_held', 'hold', hold.hold_key from market.orders paid
        join market.holds hold on hold.order_id = paid.id where paid.buyer_id in ${agents} and hold.hold_key is not null
      union all select 'claimable', 'claimable', address from market.wallet_owners where owner_id = ${humanId})
    select named.place, sum(${before === undefined ? sql`account.balance` : standing({ before })})::bigint as sum
    from named
    join ledger.accounts account
      on account.owner = named.owner and account.asset = ${asset} and account.kind = named.kind
    group by named.place`.execute(tx)
  return new Map(rows.map(({ place, sum }) => [place, sum]))
}
