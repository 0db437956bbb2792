import { sql } from 'kysely'
import { urnString } from '../../../protocol/encoding/urn.ts'
import { notFound, Problem } from '../../errors.ts'
import { audit } from '../../platform/audit/audit.ts'
import type { Tx } from '../../platform/db/pool.ts'
import type { StopRow } from './list.ts'

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
 * Records, permanently, why tokens left us without an explanation on the chain. The worker books them as lost when it
 * next processes that event, still verified at every node; the stop remains until it is lifted. Throws 404 for no such
 * stop, and stops/nothing-to-explain for a stop with another reason or one already explained.
 */
export async function explainStop(tx: Tx, { actor, stopId, explanation }: Explanation): Promise<StopRow> {
  const stops = tx.selectFrom('market.payout_stops').selectAll().where('id', '=', stopId).forUpdate()
  const stop = await stops.executeTakeFirstOrThrow(() => notFound('stop'))
  if (stop.explanation !== null || !UNEXPLAINED.test(stop.fact ?? '')) {
    throw new Problem('stops/nothing-to-explain', {
      detail:
        stop.explanation === null
          ? 'This stop was not thrown for tokens that left us unexplained: there is nothing to book. Lift it when it has served.'
          : 'This stop was explained before, and what was said then stays.',
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
