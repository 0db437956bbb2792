import { sql } from 'kysely'
import { formatAmount } from '../../../../protocol/encoding/amounts.ts'
import type { Settings } from '../../../context.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { emit } from '../../../platform/events/emit.ts'
import { OPERATORS } from '../../../platform/events/visibility.ts'
import { reserveEvents } from '../module.ts'

/** The balance of the hot wallet at a confirmed block; micro-units. */
export interface Observation {
  blockNumber: bigint
  balanceMicros: bigint
}

/**
 * Stores the hot wallet's balance, and emits an event to operators when it falls below its floor or rises
 * above it again: payouts may soon wait for a refill. Returns the amount due, and whether the balance is
 * below the floor.
 */
export async function observeHotWallet(
  tx: Tx,
  settings: Pick<Settings, 'chain' | 'rules'>,
  { blockNumber, balanceMicros }: Observation,
): Promise<{ dueMicros: bigint; isBelowFloor: boolean }> {
  const dueMicros = await duePayoutMicros(tx)
  const isBelowFloor = balanceMicros < settings.rules.hotWalletFloorMicros
  const known = await tx.selectFrom('market.hot_wallet').select('below_floor_since').forUpdate().executeTakeFirst()
  const since = isBelowFloor ? sql<Date>`coalesce(hot_wallet.below_floor_since, market.now())` : null
  const seen = { block_number: blockNumber, balance_micros: balanceMicros, due_micros: dueMicros }
  const observed_at = sql<Date>`market.now()`
  await tx
    .insertInto('market.hot_wallet')
    .values({ ...seen, observed_at, below_floor_since: isBelowFloor ? observed_at : null })
    .onConflict((conflict) =>
      conflict.column('singleton').doUpdateSet({ ...seen, observed_at, below_floor_since: since }),
    )
    .execute()
  const wasBelowFloor = (known?.below_floor_since ?? null) !== null
  if (isBelowFloor !== wasBelowFloor) await tellOperators(tx, settings, { balanceMicros, dueMicros, isBelowFloor })
  return { dueMicros, isBelowFloor }
}

async function tellOperators(
  tx: Tx,
  { chain, rules }: Pick<Settings, 'chain' | 'rules'>,
  { balanceMicros, dueMicros, isBelowFloor }: { balanceMicros: bigint; dueMicros: bigint; isBelowFloor: boolean },
): Promise<void> {
  await emit(tx, reserveEvents[isBelowFloor ? 'hot_wallet.below_floor' : 'hot_wallet.above_floor'], {
    payload: {
      hot_wallet: chain.hotWallet,
      balance: formatAmount(balanceMicros),
      due: formatAmount(dueMicros),
      floor: formatAmount(rules.hotWalletFloorMicros),
    },
    visibleTo: [OPERATORS],
  })
}

/**
 * Returns the sum to be paid out of the hot wallet: payouts that are pending, waiting for a wallet, or
 * submitted; micro-units.
 */
async function duePayoutMicros(tx: Tx): Promise<bigint> {
  const { rows } = await sql<{ due: bigint }>`
    select coalesce(sum(amount_micros), 0)::bigint as due from market.payouts
    where state in ('pending', 'blocked', 'submitted')`.execute(tx)
  return rows[0]?.due ?? 0n
}
