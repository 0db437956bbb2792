import { sql } from 'kysely'
import { formatAmount } from '../../../../protocol/encoding/amounts.ts'
import type { DisputeState, OrderState } from '../../../platform/db/generated/tables.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { hoursBetween, type Sums, summed } from './sums.ts'

/** Of so many orders that ended last, the time is measured: more would not change what it says. */
const MEASURED_ORDERS = 1_000
const OPEN: readonly OrderState[] = ['placed', 'funded', 'in_flight', 'delivered', 'accepted', 'rejected', 'disputed']
const DISPUTE_STATES: readonly DisputeState[] = [
  ...(['open', 'pre_review', 'arbitrating', 'in_review', 'decided', 'executing'] as const),
]

/**
 * Returns what the last days (UTC) came to, today included, and what is open now. It reads the sums of hours
 * that are over, the rows of the last hour or two, and an index of what is open: never all orders.
 */
export async function readTotals(tx: Tx, days: number) {
  const { rows } = await sql<Sums & { day: string }>`
    with span as (
      select through, date_trunc('day', market.now(), 'UTC') - make_interval(days => ${days - 1}) as since
      from market.totals_progress
    ), hour as (
      select total.* from market.hourly_totals total, span where total.starts_at >= span.since
      union all
      select live.starts_at, live.paid_orders, live.paid_micros, live.ended_orders, live.refunded_micros, live.seller_micros,
        live.fee_micros
      from (${hoursBetween(sql`(select greatest(through, since) from span)`, sql`'infinity'`)}) live
    )
    select to_char(date.day at time zone 'UTC', 'YYYY-MM-DD') as day, ${summed}
    from generate_series((select since from span), market.now(), interval '1 day') date (day)
    left join hour on hour.starts_at >= date.day and hour.starts_at < date.day + interval '1 day'
    group by date.day order by date.day`.execute(tx)
  const since = rows[0]?.day
  if (since === undefined) throw new Error('no day has begun')
  return {
    days: rows.map(({ day, ...sums }) => ({ day, ...toSums(sums) })),
    period: toSums(rows.reduce(add)),
    open_orders: await readOpenOrders(tx),
    disputes: await readDisputes(tx, since),
    time_to_final: await readTimeToFinal(tx, since),
  }
}

async function readOpenOrders(tx: Tx) {
  const { rows } = await sql<{ state: OrderState; orders: number; micros: bigint }>`
    select state, count(*)::int as orders, sum(price_micros)::bigint as micros from market.orders
    where state not in ('cancelled', 'final') group by state`.execute(tx)
  return OPEN.map((state) => {
    const { orders = 0, micros = 0n } = rows.find((row) => row.state === state) ?? {}
    return { state, orders, amount: formatAmount(micros) }
  })
}

async function readDisputes(tx: Tx, since: string) {
  const { rows } = await sql<{ state: DisputeState; disputes: number }>`
    select state, count(*)::int as disputes from market.disputes
    where state = any(${DISPUTE_STATES}::text[]) or state = 'closed' and closed_at >= ${since}::date::timestamp at time zone 'UTC'
    group by state`.execute(tx)
  const states: DisputeState[] = [...DISPUTE_STATES, 'closed']
  return states.map((state) => ({ state, disputes: rows.find((row) => row.state === state)?.disputes ?? 0 }))
}

async function readTimeToFinal(tx: Tx, since: string) {
  const { rows } = await sql<{ orders: number; median: number | null; slow: number | null }>`
    select count(*)::int as orders, percentile_cont(0.5) within group (order by seconds) as median,
      percentile_cont(0.9) within group (order by seconds) as slow
    from (
      select extract(epoch from receipt.finalized_at - traded.funded_at)::float8 as seconds
      from market.receipts receipt join market.orders traded on traded.id = receipt.order_id
      where receipt.finalized_at >= ${since}::date::timestamp at time zone 'UTC' and traded.funded_at is not null
      order by receipt.finalized_at desc limit ${MEASURED_ORDERS}) measured`.execute(tx)
  const [{ orders, median, slow }] = rows as [(typeof rows)[0]]
  if (median === null || slow === null) return null
  return { orders, median_seconds: Math.round(median), p90_seconds: Math.round(slow) }
}

function add<Row extends Sums>(left: Row, right: Row): Row {
  return {
    ...left,
    paid_orders: left.paid_orders + right.paid_orders,
    paid_micros: left.paid_micros + right.paid_micros,
    ended_orders: left.ended_orders + right.ended_orders,
    refunded_micros: left.refunded_micros + right.refunded_micros,
    seller_micros: left.seller_micros + right.seller_micros,
    fee_micros: left.fee_micros + right.fee_micros,
  }
}

function toSums(sums: Sums) {
  return {
    paid_orders: sums.paid_orders,
    paid: formatAmount(sums.paid_micros),
    ended_orders: sums.ended_orders,
    refunded: formatAmount(sums.refunded_micros),
    to_sellers: formatAmount(sums.seller_micros),
    fees: formatAmount(sums.fee_micros),
  }
}
