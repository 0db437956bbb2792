import { sql } from 'kysely'
import type { ChainSettings } from '../../../context.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { assetKey } from '../../ledger/post.ts'
import { kindOfAccount, ownerUuid } from './accountShape.ts'
import { lateTransfers } from './ledgerTotals.ts'

const AT_ONCE = 50

/** A ledger account, beside everything else that determines its balance. Micro-units. */
export interface ComparedAccount {
  id: bigint
  kind: string
  ownerType: string
  /** In the form of `ledger.owner_name`. */
  owner: string
  /** Null for accounts that keep no balance. */
  balanceMicros: bigint | null
  /** The sum of its entries. Null for accounts that have no other balance. */
  entriesMicros: bigint | null
  /** An event after the block changed it, so it cannot be compared with the chain at the block. */
  isLate: boolean
  /** The amount still held by the hold's order, or its appeal's fee; null if the hold has neither. */
  heldMicros: bigint | null
  /** The amount that payouts show as owed to this owner or in transit; null if no payout does. */
  owedMicros: bigint | null
  /** The content of the event that began the hold, as verified on the chain. */
  event_arguments: Record<string, string> | null
}

// Same rule as payoutAccount (payouts/account.ts): a seller's net is the owner's except while it is in
// flight; a refund never is.
const owedMicros = sql`case account.kind
  when 'payable' then coalesce((select sum(amount_micros)::bigint from market.payouts
    where human_id = ${ownerUuid('human')} and leg = 'payee' and state in ('pending', 'blocked', 'failed')), 0)
  when 'in_transit' then coalesce((select amount_micros from market.payouts
    where id = ${ownerUuid('payout')}
      and (state = 'submitted' or leg = 'payer' and state in ('pending', 'blocked'))), 0) end`

/**
 * Returns the accounts of an asset after an id, in id order, and some by their ids, to compare one by one.
 * Also returns the last id, where the next batch begins; null when all were read.
 */
export async function accountsAfter(
  tx: Tx,
  chain: ChainSettings,
  { block, after, also }: { block: bigint; after: bigint; also: readonly bigint[] },
): Promise<{ accounts: ComparedAccount[]; cursor: bigint | null }> {
  const { rows } = await sql<ComparedAccount & { isNext: boolean }>`
    with late as materialized (select account_id from ledger.entries where transfer_id in (${lateTransfers(block)})),
    chosen as (
      (select id, owner_type, owner_id, balance, ${kindOfAccount} as kind, true as is_next from ledger.accounts account
        where id > ${after} and asset = ${assetKey(chain)} order by id limit ${AT_ONCE})
      union all
      select id, owner_type, owner_id, balance, ${kindOfAccount}, false from ledger.accounts account
        where id = any(${also.map(String)}::bigint[]) and id <= ${after}
    )
    select account.id, account.kind, account.owner_type as "ownerType",
      ledger.owner_name(account.owner_type, account.owner_id) as owner, account.is_next as "isNext",
      account.balance as "balanceMicros", case when account.balance is not null
        then coalesce((select sum(amount)::bigint from ledger.entries where account_id = account.id), 0) end as "entriesMicros",
      account.id in (select account_id from late) as "isLate",
      coalesce(case hold.status when 'held' then hold.amount_micros when 'released' then 0 end,
        case fee.state when 'held' then fee.amount_micros when 'kept' then 0 when 'returned' then 0 end) as "heldMicros", began.event_arguments,
      ${owedMicros} as "owedMicros"
    from chosen account
    left join market.holds in_contract on account.kind = 'hold' and account.owner_type = 'hold'
      and in_contract.hold_key = account.owner_id
    left join market.holds in_custody on account.kind = 'hold'
      and in_custody.order_id = ${ownerUuid('order')}
    left join market.holds hold on hold.id = coalesce(in_contract.id, in_custody.id)
    left join market.appeal_fees fee on account.kind = 'hold' and fee.payer is not null
      and fee.dispute_id = ${ownerUuid('dispute')}
    left join market.processed_chain_events began on account.kind = 'hold' and began.key = case
      when account.owner_type = 'hold' then 'funded:' || account.owner_id
      when account.owner_type = 'dispute' then 'payment:' || fee.payer || ':' || fee.nonce
      else 'payment:' || hold.payer || ':' || hold.deposit_nonce end
    order by account.id`.execute(tx)
  const next = rows.filter(({ isNext }) => isNext)
  return { accounts: rows, cursor: next.length < AT_ONCE ? null : (next.at(-1)?.id ?? null) }
}
