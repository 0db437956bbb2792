import { sql } from 'kysely'
import type { Hex } from 'viem'
import { formatChange } from '../../../../protocol/encoding/amounts.ts'
import type { ChainSettings } from '../../../context.ts'
import { processedBlock } from '../../../payments/chain/progress.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import type { TimelineRow } from '../routes.ts'
import {
  CHAIN_RANK,
  comparePositions,
  LEDGER_RANK,
  placeOf,
  type TimelinePart,
  type TimelinePosition,
} from './position.ts'

/** A row and its place. */
export interface PlacedRow {
  position: TimelinePosition
  row: TimelineRow
}

interface Booking {
  id: bigint
  act: bigint
  place: bigint
  kind: string
  created_at: Date
  legs: { account: string; amount: string }[]
  event: string | null
  block_number: bigint
  block_hash: Hex
  tx_hash: Hex
  log_index: number
  settled_at: Date
  vanished_at: Date | null
  times_vanished: number
}

/**
 * Returns the bookings of an order after a place, each with the chain event that caused it, if there is one.
 */
export async function readBookings(
  tx: Tx,
  chain: ChainSettings,
  orderId: string,
  { after, end, kinds, limit }: TimelinePart,
): Promise<PlacedRow[]> {
  if (!kinds.has('chain') && !kinds.has('ledger')) return []
  const rank = kinds.has('ledger') ? LEDGER_RANK : CHAIN_RANK
  const { rows } = await sql<Booking>`
    with keys as (
      select unnest(array['funded:' || hold_key, 'released:' || hold_key, 'reclaimed:' || hold_key,
        'payment:' || payer || ':' || deposit_nonce]) as key from market.holds where order_id = ${orderId}
      union select unnest(array[key, 'stray_returned:' || substring(key, 9)])
        from market.unmatched_payments where order_id = ${orderId}
    ), found as (
      select * from ledger.transfers where order_id = ${orderId}
      union select * from ledger.transfers where key in (select key from keys where key is not null)
    ), booked as (
      select found.*, ${placeOf('found')} as place from found
    )
    select booked.id, booked.act, booked.place, booked.kind, booked.created_at, event.kind as event, event.block_number,
      event.block_hash, event.tx_hash, event.log_index, event.settled_at, event.vanished_at, event.times_vanished,
      (select jsonb_agg(jsonb_build_object('account', account.kind, 'amount', entry.amount::text) order by entry.amount, entry.id)
       from ledger.entries entry join ledger.accounts account on account.id = entry.account_id
       where entry.transfer_id = booked.id) as legs
    from booked left join market.processed_chain_events event on event.key = booked.key
    where (booked.place, booked.act, ${rank}::integer, booked.id)
        > (${after.place}::bigint, ${after.act}::bigint, ${after.rank}::integer, ${after.id}::bigint)
      and booked.place <= ${end} and ${kinds.has('ledger') ? sql`true` : sql`event.key is not null`}
    order by booked.place, booked.act, booked.id limit ${limit}`.execute(tx)
  const settled = await processedBlock(tx)
  const head = settled && settled.number + BigInt(chain.confirmations)
  return rows
    .flatMap((booking) => [...(booking.event === null ? [] : [toChainRow(booking, head)]), toLedgerRow(booking)])
    .filter(({ position, row }) => kinds.has(row.kind) && comparePositions(position, after) > 0)
}

function toChainRow(booking: Booking, head: bigint | undefined): PlacedRow {
  const { event, block_number, block_hash, tx_hash, log_index, vanished_at, times_vanished } = booking
  const isGone = vanished_at !== null
  return {
    position: { place: booking.place, act: booking.act, rank: CHAIN_RANK, id: booking.id },
    row: {
      kind: 'chain',
      at: booking.settled_at.toISOString(),
      cause: String(booking.act),
      chain: {
        what: event ?? '',
        ...{ tx_hash, block_number: Number(block_number), block_hash, log_index },
        confirmations: head === undefined ? null : isGone ? 0 : Math.max(0, Number(head - block_number)),
        is_reorganised_away: isGone,
        times_reorganised: times_vanished,
      },
    },
  }
}

function toLedgerRow({ id, act, place, kind, created_at, legs }: Booking): PlacedRow {
  return {
    position: { place, act, rank: LEDGER_RANK, id },
    row: {
      kind: 'ledger',
      at: created_at.toISOString(),
      cause: String(act),
      ledger: {
        what: kind,
        legs: legs.map(({ account, amount }) => ({ account, amount: formatChange(BigInt(amount)) })),
      },
    },
  }
}
