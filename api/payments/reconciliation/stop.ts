import { formatAmount } from '../../../protocol/amounts.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { stopPayouts } from '../stops/stop.ts'
import type { Place } from './shortages.ts'

const NAMES: Record<Place, string> = { hot_wallet: 'The hot wallet', escrow: 'The escrow' }

/** Stops payouts for a shortage until an operator has looked at it. `missingMicros` is in micro-units. */
export async function stopForShortage(
  tx: Tx,
  { place, missingMicros }: { place: Place; missingMicros: bigint },
  block: bigint,
): Promise<void> {
  const reason = `${NAMES[place]} has ${formatAmount(missingMicros)} less than is booked, at block ${block}.`
  await stopPayouts(tx, { actor: 'service', place, reason, fact: `shortfall:${place}:${block}` })
}
