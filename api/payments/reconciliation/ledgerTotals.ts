import { sql } from 'kysely'
import type { ChainSettings } from '../../context.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { assetKey } from '../ledger/post.ts'

/** Sums of the ledger by line, in micro-units. Assets are negative. */
export type Sums = Record<string, bigint>

/** The ledger as of a block, and the part that a later comparison need not sum again. */
export interface Booked {
  sums: Sums
  /** The oldest transaction that was still running: everything older is in `below`. */
  horizon: string
  below: Sums
}

interface Row {
  line: string
  micros: bigint
  below: bigint
}

/**
 * Returns the ledger's sums of an asset, without the effect of events after a block. `since` is the result of an
 * earlier call on the same server; without it everything is summed, once. Call it in one snapshot with the read of
 * the block.
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

/**
 * Returns SQL for the entries of transactions from `from` on; `below` covers those older than the oldest running one.
 */
function countSince(from: string, horizon: string) {
  return sql`select entry.account_id, entry.amount as micros,
      case when transfer.transaction_id < ${horizon}::xid8 then entry.amount else 0 end as below
    from ledger.transfers transfer join ledger.entries entry on entry.transfer_id = transfer.id
    where transfer.transaction_id >= ${from}::xid8`
}

// Sums per account without reading each transfer: of a million entries this takes a fraction of the time.
function countAll(horizon: string) {
  return sql`select account_id, sum(amount) as micros, sum(amount) as below from ledger.entries group by account_id
    union all select entry.account_id, 0, -entry.amount
      from ledger.transfers transfer join ledger.entries entry on entry.transfer_id = transfer.id
      where transfer.transaction_id >= ${horizon}::xid8`
}

/** Returns SQL for the transfers caused by events after a block, by their removal or by their restoration. */
export function lateTransfers(block: bigint) {
  return sql`
    select transfer.id from market.processed_chain_events event
    join ledger.transfers transfer on transfer.key = event.key
    where event.block_number > ${block}
    union all
    select transfer.id from market.processed_chain_events event
    cross join generate_series(1, event.times_vanished) as again
    cross join (values ('vanished'), ('restored')) as turn(kind)
    join ledger.transfers transfer on transfer.key = turn.kind || ':' || event.key || '#' || again
    where event.block_number > ${block}`
}

// Returns SQL for the line of an account. Holds of the contract are named by their ids, custodied ones by their orders.
// A hold whose payment was removed from the chain is not owed by the contract meanwhile, though the ledger still shows
// it.
function lineOf({ escrow, hotWallet }: ChainSettings) {
  return sql`case
    when account.kind = 'hold' and account.owner_type = 'hold' then 'escrow_hold'
    when account.kind = 'hold' then 'custody_hold'
    when account.kind = 'loss' and exists (select from market.processed_chain_events event
      where event.key = account.owner_id and event.kind = 'funded') then 'owed_loss'
    when account.kind = 'escrow_contract' and account.owner_id <> ${escrow.toLowerCase()} then 'other_escrow'
    when account.kind = 'hot_wallet' and account.owner_id <> ${hotWallet.toLowerCase()} then 'other_wallet'
    else account.kind end`
}

/** `isForeign`: some transfers were posted on another server, whose transaction ids cannot be compared. */
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
