import { sql } from 'kysely'
import type { ChainSettings } from '../context.ts'
import type { Tx } from '../db/pool.ts'
import { assetKey } from '../ledger/asset.ts'
import { lateTransfers } from './booked.ts'
import { kindOfAccount } from './names.ts'

const AT_ONCE = 200

/** An account as the ledger has it, beside everything else that says how much stands there. Micro-units. */
export interface ComparedAccount {
  id: bigint
  kind: string
  owner: string
  balanceMicros: bigint
  /** The sum of its entries. Null for accounts that have no balance but that. */
  entriesMicros: bigint | null
  /** A fact after the block has changed it: the chain cannot be asked about it as it is. */
  isLate: boolean
  /** What the order that the hold is of says is still held; null where it is no order's. */
  heldMicros: bigint | null
  /** What payouts say is owed to this owner, or on its way; null where no payout says so. */
  owedMicros: bigint | null
  /** What the fact that the hold began with claims, as it was verified on the chain. */
  claims: Record<string, string> | null
}

// As payoutAccount (payouts/account.ts) has it: a seller's net is the owner's but while it is out, a refund is never.
const owedMicros = sql`case account.kind
  when 'payable' then coalesce((select sum(amount_micros)::bigint from market.payouts
    where human_id = substr(account.owner, 14)::uuid and leg = 'payee' and state in ('pending', 'blocked', 'failed')), 0)
  when 'in_transit' then coalesce((select amount_micros from market.payouts
    where id = substr(account.owner, 15)::uuid
      and (state = 'submitted' or leg = 'payer' and state in ('pending', 'blocked'))), 0) end`

/**
 * The accounts of an asset after one, in the order of their ids, and some by their ids: what is compared one by one. The
 * last one's id is where the next look begins; null when they have all been looked at.
 */
export async function accountsAfter(
  tx: Tx,
  chain: ChainSettings,
  { block, after, also }: { block: bigint; after: bigint; also: readonly bigint[] },
): Promise<{ accounts: ComparedAccount[]; cursor: bigint | null }> {
  const { rows } = await sql<ComparedAccount & { isNext: boolean }>`
    with late as materialized (select account_id from ledger.entries where transfer_id in (${lateTransfers(block)})),
    chosen as (
      (select id, owner, is_append_only, balance, ${kindOfAccount} as kind, true as is_next from ledger.accounts account
        where id > ${after} and asset = ${assetKey(chain)} order by id limit ${AT_ONCE})
      union all
      select id, owner, is_append_only, balance, ${kindOfAccount}, false from ledger.accounts account
        where id = any(${also.map(String)}::bigint[]) and id <= ${after}
    )
    select account.id, account.kind, account.owner, account.is_next as "isNext", account.balance as "balanceMicros",
      case when not account.is_append_only
        then coalesce((select sum(amount)::bigint from ledger.entries where account_id = account.id), 0) end as "entriesMicros",
      account.id in (select account_id from late) as "isLate",
      case hold.status when 'held' then hold.amount_micros when 'released' then 0 end as "heldMicros", began.claims,
      ${owedMicros} as "owedMicros"
    from chosen account
    left join market.holds in_contract on account.kind = 'hold' and in_contract.hold_key = account.owner
    left join market.holds in_custody on account.kind = 'hold'
      and in_custody.order_id = case when account.owner like 'market:order:%' then substr(account.owner, 14)::uuid end
    left join market.holds hold on hold.id = coalesce(in_contract.id, in_custody.id)
    left join market.settled_events began on account.kind = 'hold' and began.key = case
      when account.owner like '0x%' then 'funded:' || account.owner
      else 'payment:' || hold.payer || ':' || hold.deposit_nonce end
    order by account.id`.execute(tx)
  const next = rows.filter(({ isNext }) => isNext)
  return { accounts: rows, cursor: next.length < AT_ONCE ? null : (next.at(-1)?.id ?? null) }
}
