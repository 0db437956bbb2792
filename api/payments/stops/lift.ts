import { sql } from 'kysely'
import { urnString } from '../../../protocol/encoding/urn.ts'
import { notFound } from '../../errors.ts'
import { audit } from '../../platform/audit/audit.ts'
import type { Tx } from '../../platform/db/pool.ts'
import type { StopRow } from './list.ts'

/** Lifts a stop, as the database's owner; payouts resume when no stop remains. Throws 404 for one that was already lifted. */
export async function liftStop(tx: Tx, actor: string, stopId: string): Promise<StopRow> {
  const stop = await tx
    .updateTable('market.payout_stops')
    .set({ lifted_at: sql`market.now()`, lifted_by: actor })
    .where('id', '=', stopId)
    .where('lifted_at', 'is', null)
    .returningAll()
    .executeTakeFirstOrThrow(() => notFound('stop'))
  await audit(tx, { actor, action: 'payouts.resume', subject: urnString('stop', stop.id) })
  return stop
}
