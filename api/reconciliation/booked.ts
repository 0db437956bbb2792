import { sql } from 'kysely'
import type { ChainSettings } from '../context.ts'
import type { Tx } from '../db/pool.ts'
import { assetKey } from '../ledger/asset.ts'

/** Sums of the ledger by what stands there, in micro-units. Assets are below zero. */
export type Sums = Record<string, bigint>

/** The ledger as of a block, and what a later look need not add up again. */
export interface Booked {
  sums: Sums
  /** The oldest transaction that was still running: what is older is all in `below`. */
  horizon: string
  below: Sums
}

interface Row {
  line: string
  micros: bigint
  below: bigint
}

/**
 * What the ledger says of an asset, without what facts after a block have caused. `since` is what an earlier look in the
 * same life of the database found; without it everything is added up. Both must be read in one snapshot with the block.
 */
export async function bookedAt(
  tx: Tx,
  chain: ChainSettings,
  block: bigint,
  since: Pick<Booked, 'horizon' | 'below'> | undefined,
): Promise<Booked> {
  const horizon = await readHorizon(tx)
  const from = since && !horizon.isForeign ? since : { horizon: '0', below: {} }
  const counted = from === since ? countSince(from.horizon, horizon.xid) : countAll(horizon.xid)
  const { rows } = await sql<Row>`
    with late as materialized (${lateTransfers(block)}), counted as (
      ${counted}
      union all select entry.account_id, -entry.amount, 0
        from late join ledger.entries entry on entry.transfer_id = late.id
    )
    select ${lineOf(chain)} as line, sum(counted.micros)::bigint as micros, sum(counted.below)::bigint as below
    from counted join ledger.accounts account on account.id = counted.account_id
    where account.asset = ${assetKey(chain)}
    group by 1`.execute(tx)
  const found = (read: (row: Row) => bigint) => Object.fromEntries(rows.map((row) => [row.line, read(row)]))
  return {
    sums: added(
      from.below,
      found(({ micros }) => micros),
    ),
    horizon: horizon.xid,
    below: added(
      from.below,
      found(({ below }) => below),
    ),
  }
}

/** What was posted by transactions from one on; `below` is of those older than the oldest that still runs. */
function countSince(from: string, horizon: string) {
  return sql`select entry.account_id, entry.amount as micros,
      case when transfer.transaction_id < ${horizon}::xid8 then entry.amount else 0 end as below
    from ledger.transfers transfer join ledger.entries entry on entry.transfer_id = transfer.id
    where transfer.transaction_id >= ${from}::xid8`
}

// Account by account, without a look at each transfer: of a million entries that takes a fraction of the time.
function countAll(horizon: string) {
  return sql`select account_id, sum(amount) as micros, sum(amount) as below from ledger.entries group by account_id
    union all select entry.account_id, 0, -entry.amount
      from ledger.transfers transfer join ledger.entries entry on entry.transfer_id = transfer.id
      where transfer.transaction_id >= ${horizon}::xid8`
}

/** The transfers that facts after a block have caused: their own, and those of their vanishing and coming again. */
export function lateTransfers(block: bigint) {
  return sql`
    select transfer.id from market.settled_events event
    join ledger.transfers transfer on transfer.key = event.key
    where event.block_number > ${block}
    union all
    select transfer.id from market.settled_events event
    cross join generate_series(1, event.times_vanished) as again
    cross join (values ('vanished'), ('restored')) as turn(kind)
    join ledger.transfers transfer on transfer.key = turn.kind || ':' || event.key || '#' || again
    where event.block_number > ${block}`
}

// Holds of the contract are named by their ids, those in custody by their orders. What a hold lost when the chain took its
// payment back is not owed by the contract meanwhile, though the books still say so.
function lineOf({ escrow, hotWallet }: ChainSettings) {
  return sql`case
    when account.kind = 'hold' and account.owner like '0x%' then 'escrow_hold'
    when account.kind = 'hold' then 'custody_hold'
    when account.kind = 'loss' and account.owner like 'funded:%' then 'owed_loss'
    when account.kind = 'escrow_contract' and account.owner <> ${escrow.toLowerCase()} then 'other_escrow'
    when account.kind = 'hot_wallet' and account.owner <> ${hotWallet.toLowerCase()} then 'other_wallet'
    else account.kind end`
}

/** `isForeign`: some transfers were posted in the life of another server, whose transactions cannot be compared. */
async function readHorizon(tx: Tx): Promise<{ xid: string; isForeign: boolean }> {
  const { rows } = await sql<{ xid: string; isForeign: boolean }>`
    select pg_snapshot_xmin(pg_current_snapshot())::text as xid, coalesce(
      (select transaction_id from ledger.transfers order by transaction_id desc limit 1)
        >= pg_snapshot_xmax(pg_current_snapshot()), false) as "isForeign"
    `.execute(tx)
  const [row] = rows
  if (!row) throw new Error('the database has no snapshot')
  return row
}

function added(one: Sums, other: Sums): Sums {
  const lines = new Set([...Object.keys(one), ...Object.keys(other)])
  return Object.fromEntries([...lines].map((line) => [line, (one[line] ?? 0n) + (other[line] ?? 0n)]))
}
