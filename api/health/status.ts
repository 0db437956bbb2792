import { formatAmount } from '../../protocol/encoding/amounts.ts'
import { readHistory } from '../../protocol/environment/migrations.ts'
import { type Reading, readGauges } from '../metrics/gauges.ts'
import type { Schema } from '../platform/db/migrations.ts'
import { queryable } from '../platform/db/pool.ts'
import type { Services } from '../platform/http/serve/services.ts'
import { readiness } from './ready.ts'

/** Returns the readiness and the gauges of the metrics, for an operator. Throws what either throws. */
export async function operatorStatus(services: Pick<Services, 'db' | 'index' | 'rpc' | 'windows'>, schema: Schema) {
  const ready = await readiness(services, schema)
  const reading = await readGauges(services.db)
  const { migrations } = await readHistory(queryable(services.db))
  return {
    ...ready,
    version: schema.version,
    schema: migrations.at(-1)?.name ?? null,
    reconciliation: reconciliationOf(reading),
    is_fence_open: reading.fence_open === 1,
    stops: { hot_wallet: reading.wallet_stops, escrow: reading.escrow_stops },
    queues: {
      intents: reading.open_intents,
      payouts: reading.pending_payouts,
      webhook_deliveries: reading.open_deliveries,
    },
    webhook_lag_seconds: reading.delivery_lag,
    hot_wallet: hotWalletOf(reading),
  }
}

function reconciliationOf({ is_ok, lag_blocks, lag_seconds, age_seconds, findings }: Reading) {
  if (is_ok === null || age_seconds === null) return null
  return { ok: is_ok === 1, lag_blocks, lag_seconds, age_seconds, findings: findings ?? 0 }
}

function hotWalletOf({ wallet_balance, wallet_due, wallet_below_floor }: Reading) {
  if (wallet_balance === null || wallet_due === null) return null
  return {
    balance: formatAmount(wallet_balance),
    due: formatAmount(wallet_due),
    is_below_floor: wallet_below_floor === 1,
  }
}
