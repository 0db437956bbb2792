import { urnString } from '../../../protocol/encoding/urn.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { openOwnerPool } from '../../platform/db/searchPath.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { liftStop, listStandingStops, type StopRow, stopPayouts } from './stops.ts'

/** Returns the stops in force, newest first. `databaseUrl` is of the database's owner, here and below. */
export function standingStops(databaseUrl: string): Promise<StopRow[]> {
  return asOwner(databaseUrl, listStandingStops)
}

/**
 * Stops all payouts from custody, or all requests to the contract, in the name of an operator: for when the
 * service itself is in doubt. Throws an Error if the caller is not an operator.
 */
export function addStop(
  databaseUrl: string,
  operatorId: string,
  stop: Pick<StopRow, 'place' | 'reason'>,
): Promise<StopRow> {
  return asOwner(databaseUrl, async (tx) => {
    const raised = await stopPayouts(tx, { actor: await operatorUrn(tx, operatorId), ...stop })
    if (!raised) throw new Error('a stop without a fact has no other to conflict with')
    return raised
  })
}

/**
 * Lifts a stop in the name of an operator. No call of the API can lift a stop: the login of API and worker
 * lacks the privilege, so a stop remains in force if that login is stolen. Throws an Error if the caller is
 * not an operator, and 404 for a stop that is not in force.
 */
export function endStop(databaseUrl: string, operatorId: string, stopId: string): Promise<StopRow> {
  return asOwner(databaseUrl, async (tx) => liftStop(tx, await operatorUrn(tx, operatorId), stopId))
}

async function operatorUrn(tx: Tx, humanId: string): Promise<string> {
  const operator = tx.selectFrom('market.humans').select('id').where('id', '=', humanId).where('role', '=', 'operator')
  const { id } = await operator.executeTakeFirstOrThrow(() => new Error('there is no such operator'))
  return urnString('human', id)
}

async function asOwner<Answer>(databaseUrl: string, act: (tx: Tx) => Promise<Answer>): Promise<Answer> {
  const db = await openOwnerPool(databaseUrl, 'market-stops')
  try {
    return await inTransaction(db, 'read write', act)
  } finally {
    await db.destroy()
  }
}
