import { sql } from 'kysely'
import { accountsAfter } from '../../../../../../api/payments/reconciliation/internal/accounts.ts'
import { checkFee, feesAmong } from '../../../../../../api/payments/reconciliation/internal/appealFees.ts'
import { checkAccount } from '../../../../../../api/payments/reconciliation/internal/checks.ts'
import { checkHold, holdsAmong } from '../../../../../../api/payments/reconciliation/internal/holds.ts'
import { checkDeposit, depositsAmong } from '../../../../../../api/payments/reconciliation/internal/payouts.ts'
import { checkReceipt } from '../../../../../../api/payments/reconciliation/internal/receipts.ts'
import { inTransaction } from '../../../../../../api/platform/db/transaction.ts'
import type { World } from '../../escrow/world.ts'
import type { ChainModel } from './chainModel.ts'

/** What the chain and the books must agree on; micro-units, without what is nothing. */
export interface Figures {
  escrow: bigint
  hotWallet: bigint
  coldWallet: bigint
  /** What was credited by a release whose payment vanished left out: it stands against a loss. */
  claimable: Record<string, bigint>
  /** Of the contract, those whose payment vanished left out: they stand against a loss. */
  holds: Record<string, bigint>
  /** What is kept apart, by the fact it came with; those that vanished left out likewise. */
  apart: Record<string, bigint>
}

export function expectedFigures({ settings }: World, chain: ChainModel): Figures {
  const above = (of: ReadonlyMap<string, bigint>) => Object.fromEntries([...of].filter(([, micros]) => micros !== 0n))
  return {
    escrow: chain.tokensOf(settings.chain.escrow),
    hotWallet: chain.tokensOf(settings.chain.hotWallet),
    coldWallet: chain.tokensOf(settings.reserve?.coldWallet),
    claimable: above(chain.claimable),
    holds: above(chain.holds),
    apart: above(chain.apart),
  }
}

export async function bookedFigures({ db }: World): Promise<Figures> {
  const { rows } = await sql<{ kind: string; owner: string; micros: bigint }>`
    select kind, owner, sum(amount)::bigint as micros from (
      select account.kind, ledger.owner_name(account.owner_type, account.owner_id) as owner, entry.amount
      from ledger.entries entry join ledger.accounts account on account.id = entry.account_id
      where not exists (select from market.processed_chain_events gone where gone.vanished_at is not null
        and gone.key = case account.kind when 'hold' then 'funded:' || account.owner_id when 'suspense' then account.owner_id end)
      union all select 'claimable', split_part(gone.key, ':', 2), -(gone.event_arguments->>'amount')::bigint
      from market.processed_chain_events gone where gone.vanished_at is not null and gone.kind = 'withdrawn'
    ) booked
    group by 1, 2 having sum(amount) <> 0`.execute(db)
  const sum = (kind: string) => rows.reduce((total, row) => (row.kind === kind ? total + row.micros : total), 0n)
  const each = (kind: string) => {
    const ofKind = rows.filter((row) => row.kind === kind && !row.owner.startsWith('market:'))
    return Object.fromEntries(ofKind.map(({ owner, micros }) => [owner, micros]))
  }
  return {
    escrow: -sum('escrow_contract'),
    hotWallet: -sum('hot_wallet'),
    coldWallet: -sum('cold_wallet'),
    claimable: each('claimable'),
    holds: each('hold'),
    apart: each('suspense'),
  }
}

/** Whatever must never be, by name. */
export async function faults({ db }: World): Promise<string[]> {
  const { rows } = await sql<{ fault: string }>`
    select 'transfer ' || transfer.key || ' does not balance' as fault from ledger.transfers transfer
      left join ledger.entries entry on entry.transfer_id = transfer.id
      group by transfer.id having count(entry) < 2 or sum(entry.amount) <> 0
    union all
    select 'account ' || account.kind || ' ' || account.owner_id || ' is not the sum of its entries'
      from ledger.accounts account left join ledger.entries entry on entry.account_id = account.id
      where account.balance is not null
      group by account.id having coalesce(sum(entry.amount), 0) <> account.balance
    union all
    select 'entry ' || id || ' says another balance than those before it make' from (
      select entry.id, entry.balance_after, sum(entry.amount) over (partition by entry.account_id order by entry.id) as sum
      from ledger.entries entry where entry.balance_after is not null) told
      where balance_after <> sum
    union all
    select account.kind || ' ' || account.owner_id || ' is below zero' from ledger.accounts account
      join ledger.entries entry on entry.account_id = account.id
      where account.kind not in ('escrow_contract', 'hot_wallet', 'cold_wallet', 'loss')
      group by account.id having sum(entry.amount) < 0
    union all
    select 'hold ' || hold.id || ' is ' || hold.status || ' and was distributed ' || count(ended) || ' times' from market.holds hold
      left join ledger.accounts account on account.kind = 'hold'
        and account.owner_id = coalesce(hold.hold_key, hold.order_id::text)
      left join ledger.entries ended on ended.account_id = account.id and ended.amount < 0
      group by hold.id
      having count(ended) <> (case hold.status when 'released' then 1 else 0 end)
        or coalesce(-sum(ended.amount), 0) <> (case hold.status when 'released' then hold.amount_micros else 0 end)
    union all
    select 'hold ' || id || ' was not distributed whole' from market.holds where status = 'released'
      and released_payer_micros + released_payee_micros + released_fee_micros <> amount_micros
    union all
    select 'payout ' || payout.id || ' is ' || payout.state from market.payouts payout
      where payout.state <> 'confirmed' and not (payout.state = 'failed' and payout.parked_at is null)
        and not exists (select from market.processed_chain_events gone where gone.vanished_at is not null
          and gone.key = 'payment:' || payout.deposit_from || ':' || payout.deposit_nonce)
    union all
    select 'stray ' || stray.key || ' is still ' || stray.status from market.unmatched_payments stray
      where stray.status in ('waiting', 'adopting', 'returning')
        and not exists (select from market.processed_chain_events gone where gone.vanished_at is not null and gone.key = stray.key)
    union all
    select 'sweep ' || sequence || ' is ' || state from market.sweeps where state <> 'confirmed'
    union all
    select 'intent ' || intent.key || ' is still open' from market.intents intent
      where intent.closed_at is null and intent.kind in ('payout', 'sweep')
        and not exists (select from market.payouts lost join market.processed_chain_events gone
            on gone.key in ('payment:' || lost.deposit_from || ':' || lost.deposit_nonce, 'outflow:' || lost.nonce)
          where gone.vanished_at is not null and intent.key like 'payout:' || lost.id || '%')
    `.execute(db)
  return rows.map(({ fault }) => fault)
}

const LAST_BLOCK = 1n << 62n

/** The newest account there is. */
export async function newestAccount({ db }: World): Promise<bigint> {
  const { rows } = await sql<{ id: bigint }>`select coalesce(max(id), 0)::bigint as id from ledger.accounts`.execute(db)
  return rows[0]?.id ?? 0n
}

/**
 * The accounts that are not what orders and payouts say, as the reconciler looks at them: at any moment there
 * are none. With `since`, of the oldest accounts, which all trades share, and of those opened after that one.
 */
export async function misfits({ db, settings: { chain } }: World, since = 0n): Promise<string[]> {
  const found: string[] = []
  let after = 0n
  for (;;) {
    const place = { block: LAST_BLOCK, after, also: [] }
    const { accounts, cursor, holds, fees, deposits } = await inTransaction(db, 'read only', async (tx) => {
      const page = await accountsAfter(tx, chain, place)
      const ids = page.accounts.map(({ id }) => id)
      const fees = await feesAmong(tx, ids)
      return { ...page, holds: await holdsAmong(tx, ids), fees, deposits: await depositsAmong(tx, chain, ids) }
    })
    const findings = [
      ...accounts.flatMap((account) => checkAccount(chain, account)),
      ...holds.flatMap((hold) => [...checkHold(chain, hold), ...checkReceipt(hold)]),
      ...fees.flatMap((fee) => checkFee(chain, fee)),
      ...deposits.flatMap((deposit) => checkDeposit(chain, deposit)),
    ]
    found.push(...findings.map((finding) => JSON.stringify(finding)))
    if (cursor === null) return found
    after = cursor > since ? cursor : since
  }
}
