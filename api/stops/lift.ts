import { sql } from 'kysely'
import { urnString } from '../../protocol/urn.ts'
import { audit } from '../db/audit.ts'
import type { Tx } from '../db/pool.ts'
import { notFound } from '../errors.ts'
import type { StopRow } from './list.ts'

/** Lifts a stop; payouts go on when none stands any more. Throws 404 for one that was lifted before. */
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
