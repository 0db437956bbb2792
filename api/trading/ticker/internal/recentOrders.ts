import { sql } from 'kysely'
import { formatAmount } from '../../../../protocol/encoding/amounts.ts'
import type { EscrowMode } from '../../../platform/db/generated/tables.ts'
import type { Db } from '../../../platform/db/pool.ts'

type Outcome = 'released' | 'refunded' | 'split'

interface RecentOrder {
  price_micros: bigint
  escrow_mode: EscrowMode
  disputed: boolean
  released_payer_micros: bigint
  finalized_at: Date
}

/**
 * Returns the orders whose receipts were closed last. They have no URN, text, wallet or transaction, and
 * their time is rounded to the minute, because each of these could identify the parties.
 */
export async function recentOrders(db: Db, limit: number) {
  const { rows } = await sql<RecentOrder>`
    select traded.price_micros, traded.escrow_mode, receipt.disputed, hold.released_payer_micros,
      date_trunc('minute', receipt.finalized_at) as finalized_at
    from market.receipts receipt
    join market.orders traded on traded.id = receipt.order_id
    join market.holds hold on hold.order_id = traded.id
    where receipt.finalized_at is not null
    order by receipt.finalized_at desc limit ${limit}`.execute(db)
  return rows.map((row) => ({
    price: formatAmount(row.price_micros),
    escrow_mode: row.escrow_mode,
    outcome: outcomeOf(row),
    disputed: row.disputed,
    finalized_at: row.finalized_at.toISOString(),
  }))
}

function outcomeOf({ released_payer_micros: refunded, price_micros: price }: RecentOrder): Outcome {
  if (refunded === 0n) return 'released'
  return refunded === price ? 'refunded' : 'split'
}
