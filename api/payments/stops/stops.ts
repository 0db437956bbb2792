import { type Selectable, sql } from 'kysely'
import { newId } from '../../../protocol/encoding/ids.ts'
import { urn, urnString } from '../../../protocol/encoding/urn.ts'
import { notFound, Problem } from '../../errors.ts'
import { audit } from '../../platform/audit/audit.ts'
import type { Database } from '../../platform/db/generated/tables.ts'
import type { Db, Tx } from '../../platform/db/pool.ts'
import { stopProblems } from './problems.ts'

export type StopRow = Selectable<Database['market.payout_stops']>

/** Returns all stops, including lifted ones, newest first, below a cursor id. */
export async function listStopRows(tx: Tx, page: { before: string | undefined; limit: number }): Promise<StopRow[]> {
  let query = tx.selectFrom('market.payout_stops').selectAll().orderBy('id', 'desc').limit(page.limit)
  if (page.before) query = query.where('id', '<', page.before)
  return query.execute()
}

/** Returns the stops in force, newest first. */
export async function listStandingStops(tx: Tx): Promise<StopRow[]> {
  return tx.selectFrom('market.payout_stops').selectAll().where('lifted_at', 'is', null).orderBy('id', 'desc').execute()
}

/** Returns whether payouts from the hot wallet are stopped. */
export async function arePayoutsStopped(db: Db | Tx): Promise<boolean> {
  const standing = db.selectFrom('market.payout_stops').select('id').where('lifted_at', 'is', null)
  return (await standing.where('place', '=', 'hot_wallet').limit(1).executeTakeFirst()) !== undefined
}

/** Returns a stop in wire form. */
export function toStop(row: StopRow) {
  return {
    urn: urn('stop', row.id),
    place: row.place,
    reason: row.reason,
    fact: row.fact,
    raised_by: row.raised_by,
    raised_at: row.raised_at.toISOString(),
    lifted_by: row.lifted_by,
    lifted_at: row.lifted_at?.toISOString() ?? null,
    explanation: row.explanation,
    explained_by: row.explained_by,
    explained_at: row.explained_at?.toISOString() ?? null,
  }
}

/**
 * Why payouts stop, and where (default: the hot wallet). `fact`: the key of the chain event that is the
 * reason, if any.
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
    .values({ id: newId(), place: place ?? 'hot_wallet', fact: fact ?? null, reason, raised_by: actor })
    .onConflict((conflict) => conflict.column('fact').doNothing())
    .returningAll()
    .executeTakeFirst()
  if (stop) await audit(tx, { actor, action: 'payouts.stop', subject: urnString('stop', stop.id), details: { reason } })
  return stop
}

/** Keys of events that stop payouts because nothing on the chain explains them. */
const UNEXPLAINED = /^(outflow|leak):/

/** An operator's explanation of a stop's event: how tokens left us. */
export interface Explanation {
  /** An operator's URN. */
  actor: string
  stopId: string
  explanation: string
}

/**
 * Records, permanently, why tokens left us without an explanation on the chain. The worker books them as lost
 * when it next processes that event, still verified at every node; the stop remains until it is lifted.
 * Throws 404 for no such stop, and stops/nothing-to-explain for a stop with another reason or one already
 * explained.
 */
export async function explainStop(tx: Tx, { actor, stopId, explanation }: Explanation): Promise<StopRow> {
  const stops = tx.selectFrom('market.payout_stops').selectAll().where('id', '=', stopId).forUpdate()
  const stop = await stops.executeTakeFirstOrThrow(() => notFound('stop'))
  if (stop.explanation !== null || !UNEXPLAINED.test(stop.fact ?? '')) {
    throw new Problem(stopProblems.nothingToExplain, {
      detail:
        stop.explanation === null
          ? 'No unexplained outflow caused this stop, so there is nothing to book. Lift it when it is no longer needed.'
          : 'This stop was explained before, and that explanation stays.',
    })
  }
  const details = { fact: stop.fact, explanation }
  await audit(tx, { actor, action: 'payouts.explain', subject: urnString('stop', stopId), details })
  return tx
    .updateTable('market.payout_stops')
    .set({ explanation, explained_by: actor, explained_at: sql`market.now()` })
    .where('id', '=', stopId)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Returns whether an operator has explained an event that nothing on the chain explains. */
export async function isExplained(tx: Tx, fact: string): Promise<boolean> {
  const stop = tx.selectFrom('market.payout_stops').select('id').where('fact', '=', fact)
  return (await stop.where('explanation', 'is not', null).executeTakeFirst()) !== undefined
}

/**
 * Lifts a stop, as the database's owner; payouts resume when no stop remains. Throws 404 for one that was
 * already lifted.
 */
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
