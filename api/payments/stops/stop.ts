import { v7 as uuidv7 } from 'uuid'
import { urnString } from '../../../protocol/encoding/urn.ts'
import { audit } from '../../platform/audit/audit.ts'
import type { Tx } from '../../platform/db/pool.ts'
import type { StopRow } from './list.ts'

/**
 * Why payouts stop, and where (default: the hot wallet). `fact`: the key of the chain event that is the reason, if any.
 */
export interface StopInput {
  actor: string
  place?: StopRow['place']
  reason: string
  fact?: string
}

/**
 * Stops all payouts from custody, or all requests to the contract, until an operator lifts this stop. Returns
 * undefined, and changes nothing, if the same event already stopped them.
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
