import { type RawBuilder, sql } from 'kysely'

/** What some hours came to. */
export interface Sums {
  paid_orders: number
  paid_micros: bigint
  ended_orders: number
  refunded_micros: bigint
  seller_micros: bigint
  fee_micros: bigint
}

const MEMBERS = [
  'paid_orders',
  'paid_micros',
  'ended_orders',
  'refunded_micros',
  'seller_micros',
  'fee_micros',
] as const

/** The columns of Sums, added up over rows that have them. */
export const summed = sql.join(
  MEMBERS.map((member) => {
    const type = member.endsWith('_orders') ? sql`integer` : sql`bigint`
    return sql`coalesce(sum(${sql.ref(member)}), 0)::${type} as ${sql.ref(member)}`
  }),
)

/**
 * Selects the hours between two times, each with its sums: the orders that were paid in it, and those whose
 * money was distributed. It reads the index of each, and the hold of each distributed order.
 */
export function hoursBetween(from: RawBuilder<unknown>, until: RawBuilder<unknown>) {
  return sql`
    select date_trunc('hour', fact.at, 'UTC') as starts_at, ${summed} from (
      select created_at as at, 1 as paid_orders, amount_micros as paid_micros, 0 as ended_orders, 0 as refunded_micros,
        0 as seller_micros, 0 as fee_micros
      from market.holds where created_at >= ${from} and created_at < ${until}
      union all
      select receipt.finalized_at, 0, 0, 1, hold.released_payer_micros, hold.released_payee_micros, hold.released_fee_micros
      from market.receipts receipt join market.holds hold on hold.order_id = receipt.order_id
      where receipt.finalized_at >= ${from} and receipt.finalized_at < ${until}
    ) fact group by 1`
}
