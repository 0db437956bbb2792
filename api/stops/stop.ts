import { v7 as uuidv7 } from 'uuid'
import { urnString } from '../../protocol/urn.ts'
import { audit } from '../db/audit.ts'
import type { Tx } from '../db/pool.ts'
import type { StopRow } from './list.ts'

/** Why payouts stop. `fact`: the key of what the chain showed, where that is why. */
export interface StopInput {
  actor: string
  reason: string
  fact?: string
}

/**
 * Stops all payouts out of custody until an operator lifts this very stop. Undefined, and nothing done, where the fact
 * has stopped them before.
 */
export async function stopPayouts(tx: Tx, { actor, reason, fact }: StopInput): Promise<StopRow | undefined> {
  const stop = await tx
    .insertInto('market.payout_stops')
    .values({ id: uuidv7(), fact: fact ?? null, reason, raised_by: actor })
    .onConflict((conflict) => conflict.column('fact').doNothing())
    .returningAll()
    .executeTakeFirst()
  if (stop) await audit(tx, { actor, action: 'payouts.stop', subject: urnString('stop', stop.id), details: { reason } })
  return stop
}
