import { Gauge, Registry } from '@prometheus-io/client'
import { sql } from 'kysely'
import type { Db } from '../platform/db/pool.ts'

/** The measurements. Null if there is none. */
export interface Reading {
  is_ok: number | null
  lag_blocks: number | null
  lag_seconds: number | null
  age_seconds: number | null
  findings: number | null
  fence_open: number
  wallet_stops: number
  escrow_stops: number
  open_intents: number
  pending_payouts: number
  pending_seconds: number
  wallet_balance: bigint | null
  wallet_due: bigint | null
  wallet_below_floor: number | null
  open_deliveries: number
  beat_age: number | null
  delivery_lag: number
}

/** The gauges and their names and descriptions. A gauge without a measurement is left out. */
const GAUGES: Record<keyof Reading, { name: string; help: string; labels?: Record<string, string> }> = {
  is_ok: { name: 'market_reconciliation_ok', help: '1 while the ledger is what the chain says, one by one.' },
  lag_blocks: { name: 'market_reconciliation_lag_blocks', help: 'Blocks behind the newest confirmed one.' },
  lag_seconds: { name: 'market_reconciliation_lag_seconds', help: 'The same by the times of the blocks.' },
  age_seconds: { name: 'market_reconciliation_age_seconds', help: 'How long ago the ledger was compared last.' },
  findings: { name: 'market_reconciliation_findings', help: 'What is not as it must be.' },
  fence_open: { name: 'market_fence_open', help: '1 once it is known what the chain did before the database started.' },
  wallet_stops: { name: 'market_payout_stops', help: 'Stops that stand.', labels: { place: 'hot_wallet' } },
  escrow_stops: { name: 'market_payout_stops', help: 'Stops that stand.', labels: { place: 'escrow' } },
  open_intents: {
    name: 'market_intents_open',
    help: 'What the facilitator has been asked and has not come to an end.',
  },
  pending_payouts: { name: 'market_payouts_pending', help: 'Payouts that are to be sent.' },
  pending_seconds: { name: 'market_payouts_pending_seconds', help: 'How long ago the oldest of them was decided.' },
  wallet_balance: { name: 'market_hot_wallet_micros', help: 'What the hot wallet holds, at confirmed depth.' },
  wallet_due: { name: 'market_hot_wallet_due_micros', help: 'What is to be paid out of it, as far as it is decided.' },
  open_deliveries: { name: 'market_webhook_deliveries_open', help: 'Deliveries of webhooks that have not ended.' },
  delivery_lag: {
    name: 'market_webhook_lag_seconds',
    help: 'How long the oldest delivery that was never tried waits, of webhooks that are active and do not fail.',
  },
  beat_age: {
    name: 'market_facilitator_beat_age_seconds',
    help: 'How long ago a facilitator said that payments can be made.',
  },
  wallet_below_floor: { name: 'market_hot_wallet_below_floor', help: '1 while it holds less than its floor.' },
}

/**
 * Returns the current metrics of the market in the text format of Prometheus. Throws what the database
 * throws.
 */
export async function readMetrics(db: Db): Promise<string> {
  const registry = new Registry()
  const reading = await readGauges(db)
  for (const [column, { name, help, labels = {} }] of Object.entries(GAUGES)) {
    const value = reading[column as keyof Reading]
    if (value === null) continue
    const known = registry.getSingleMetric(name) as Gauge<string> | undefined
    const gauge = known ?? new Gauge<string>({ name, help, labelNames: Object.keys(labels), registers: [registry] })
    gauge.set(labels, Number(value))
  }
  return registry.metrics()
}

/** Reads the measurements, using only indexes. Throws what the database throws. */
export async function readGauges(db: Db): Promise<Reading> {
  const stops = (place: string) =>
    sql`(select count(*)::int from market.payout_stops where lifted_at is null and place = ${place})`
  const { rows } = await sql<Reading>`
    select look.is_ok::int as is_ok, look.lag_blocks::int as lag_blocks, look.lag_seconds::int as lag_seconds,
      extract(epoch from clock_timestamp() - look.checked_at)::float8 as age_seconds,
      jsonb_array_length(look.findings) as findings,
      exists (select from market.chain_progress where database_epoch = market.database_epoch())::int as fence_open,
      ${stops('hot_wallet')} as wallet_stops, ${stops('escrow')} as escrow_stops,
      (select count(*)::int from market.intents where closed_at is null) as open_intents,
      pending.payouts as pending_payouts, pending.seconds as pending_seconds,
      (select count(*)::int from market.webhook_deliveries where finished_at is null) as open_deliveries,
      (select coalesce(extract(epoch from market.now() - min(waiting.next_attempt_at)), 0)::float8
       from market.webhook_deliveries waiting
       join market.webhook_subscriptions hook on hook.id = waiting.subscription_id
       where waiting.finished_at is null and waiting.attempts = 0 and hook.status = 'active'
         and hook.failing_since is null and market.may_send(hook)) as delivery_lag,
      (select extract(epoch from clock_timestamp() - beat_at)::float8 from facilitator.heartbeat) as beat_age,
      wallet.balance_micros as wallet_balance, wallet.due_micros as wallet_due,
      case when wallet.singleton then (wallet.below_floor_since is not null)::int end as wallet_below_floor
    from (values (true)) always(present)
    cross join lateral (
      select count(*)::int as payouts, coalesce(extract(epoch from market.now() - min(created_at)), 0)::float8 as seconds
      from market.payouts where state = 'pending'
    ) pending
    left join lateral (select * from market.reconciliations order by id desc limit 1) look on true
    left join market.hot_wallet wallet on true`.execute(db)
  const [row] = rows
  if (!row) throw new Error('the database has nothing to say')
  return row
}
