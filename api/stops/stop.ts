import { v7 as uuidv7 } from 'uuid'
import { urnString } from '../../protocol/urn.ts'
import { audit } from '../db/audit.ts'
import type { Tx } from '../db/pool.ts'
import type { StopRow } from './list.ts'

/** Why payouts stop, and where: default the hot wallet. `fact`: the key of what the chain showed, where that is why. */
export interface StopInput {
  actor: string
  place?: StopRow['place']
  reason: string
  fact?: string
}

/**
 * Stops all payouts out of custody, or what the contract is asked for, until an operator lifts this very stop. Undefined,
 * and nothing done, where the fact has stopped them before.
 */
export async function stopPayouts(tx: Tx, { actor, place, reason, fact }: StopInput): Promise<StopRow | undefined> {
  const stop = await tx
    .insertInto('market.payout_stops')
    .values({ id: uuidv7(), place: place ?? 'hot_wallet', fact: fact ?? null, reason, raised_by: actor })
    .onConflict((conflict) => conflict.column('fact').doNothing())
    .returningAll()
    .executeTakeFirst()
  if (stop) await audit(tx, { actor, action: 'payouts.stop', subject: urnString('stop', stop.id), details: { reason } })
  return stop
}
