import type { KnownShortage } from '../../../platform/db/columns.ts'
import type { StopRow } from '../../stops/stops.ts'
import type { ChainFigures } from './checks.ts'

export type Place = StopRow['place']

export type Shortages = Partial<Record<Place, KnownShortage>>

/** A place whose shortage has grown since it was last raised, in micro-units. */
export interface RaisedShortage {
  place: Place
  missingMicros: bigint
}

/**
 * Returns the amount by which the balance is below the ledger's figure or the contract's own debts, in
 * micro-units. A surplus is not a loss.
 */
export function missingAt(booked: ChainFigures, seen: ChainFigures): Record<Place, bigint> {
  const missing = (heldMicros: bigint, ...expected: bigint[]) =>
    expected.reduce((most, micros) => greatest(most, micros - heldMicros), 0n)
  return {
    hot_wallet: missing(seen.walletMicros, booked.walletMicros),
    escrow: missing(seen.escrowMicros, booked.escrowMicros, seen.owedMicros),
  }
}

/** Updates the known shortages of each place. Payouts must stop for every `raised` one. */
export function followShortages(
  known: Shortages,
  missing: Record<Place, bigint>,
  at: { block: bigint; head: bigint },
): { shortages: Shortages; raised: RaisedShortage[] } {
  const shortages: Shortages = {}
  const raised: RaisedShortage[] = []
  for (const place of ['hot_wallet', 'escrow'] as const) {
    const { shortage, isRaised } = follow(known[place], missing[place], at)
    if (shortage) shortages[place] = shortage
    if (shortage && isRaised) raised.push({ place, missingMicros: BigInt(shortage.alarmed) })
  }
  return { shortages, raised }
}

/**
 * A larger shortage is raised when it persists at a confirmed block that was not yet mined when it was first
 * seen. Until then the index may have rolled back for a moment, and the ledger lag behind.
 */
function follow(known: KnownShortage | undefined, missingMicros: bigint, at: { block: bigint; head: bigint }) {
  const alarmedMicros = least(BigInt(known?.alarmed ?? 0), missingMicros)
  if (missingMicros === alarmedMicros) {
    const shortage = alarmedMicros === 0n ? undefined : { alarmed: `${alarmedMicros}`, pending: null }
    return { shortage, isRaised: false }
  }
  const since = known?.pending ?? { micros: `${missingMicros}`, head: `${at.head}` }
  const micros = `${least(BigInt(since.micros), missingMicros)}`
  const isLasting = at.block >= BigInt(since.head)
  const shortage = isLasting
    ? { alarmed: micros, pending: null }
    : { alarmed: `${alarmedMicros}`, pending: { micros, head: since.head } }
  return { shortage, isRaised: isLasting }
}

function greatest(one: bigint, other: bigint): bigint {
  return one > other ? one : other
}

function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other
}
