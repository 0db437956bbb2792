import { sql } from 'kysely'
import type { ChainSettings } from '../../../context.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { assetKey } from '../../ledger/post.ts'

/** Sums of the ledger by line, in micro-units. Assets are negative. */
export type Sums = Record<string, bigint>

/** The ledger as of a block, and the part that a later comparison need not sum again. */
export interface Booked {
  sums: Sums
  /** `below` is the sums over the acts up to this place of the event log. */
  log_epoch: string
  log_place: bigint
  below: Sums
}

interface Row {
  line: string
  micros: bigint
  below: bigint
}

/**
 * Returns the ledger's sums of an asset, without the effect of events after a block. `since` is the result of
 * an earlier call; without it, or where it is of another epoch of the log, everything is summed, once. Call
 * it in one snapshot with the read of the block.
 */
export async function bookedAt(
  tx: Tx,
  chain: ChainSettings,
  block: bigint,
  since: Pick<Booked, 'log_epoch' | 'log_place' | 'below'> | undefined,
): Promise<Booked> {
  const log = await readLogEnd(tx)
  const isUsable = since?.log_epoch === log.epoch && since.log_place >= log.purged && since.log_place <= log.end
  const from = since && isUsable ? since : { below: {} }
  const { rows } = await sql<Row>`
    with late as materialized (${lateTransfers(block)}), counted as (
      ${from === since ? countSince(since.log_place) : countAll()}
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
    log_epoch: log.epoch,
    log_place: log.end,
    below: added(
      from.below,
      found(({ below }) => below),
    ),
  }
}

/**
 * Returns SQL for the acts behind a place of the event log, those that have no place yet last. A transfer and
 * its act are committed together, and an act that has a place gets no other one.
 */
export function actsAfter(place: bigint | undefined) {
  return sql`select id, place from market.placed_acts where place > ${place ?? null}
    union all select id, null from market.unplaced_acts where ${place ?? null}::bigint is not null`
}

/** Returns SQL for the entries of acts after a place; `below` covers those that have a place. */
function countSince(place: bigint) {
  return sql`select entry.account_id, entry.amount as micros, case when act.place is not null then entry.amount else 0 end as below
    from (${actsAfter(place)}) act join ledger.transfers transfer on transfer.act = act.id
    join ledger.entries entry on entry.transfer_id = transfer.id`
}

// Sums per account without reading each transfer: of a million entries this takes a fraction of the time.
function countAll() {
  return sql`select account_id, sum(amount) as micros, sum(amount) as below from ledger.entries group by account_id
    union all select entry.account_id, 0, -entry.amount
      from market.unplaced_acts act join ledger.transfers transfer on transfer.act = act.id
      join ledger.entries entry on entry.transfer_id = transfer.id`
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

// Returns SQL for the line of an account. Holds of the contract are named by their ids, custodied ones by
// their orders. A hold whose payment was removed from the chain is not owed by the contract meanwhile, though
// the ledger still shows it.
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

async function readLogEnd(tx: Tx): Promise<{ epoch: string; end: bigint; purged: bigint }> {
  const { rows } = await sql<{ epoch: string | null; end: bigint; purged: bigint }>`
    select (select epoch from market.event_epochs where ended_place is null) as epoch, last_place as end, purged_place as purged
    from market.event_log`.execute(tx)
  const [row] = rows
  if (!row) throw new Error('the event log has no end')
  return { ...row, epoch: row.epoch ?? '' }
}

function added(one: Sums, other: Sums): Sums {
  const lines = new Set([...Object.keys(one), ...Object.keys(other)])
  return Object.fromEntries([...lines].map((line) => [line, (one[line] ?? 0n) + (other[line] ?? 0n)]))
}
