import { sql } from 'kysely'
import { urnString } from '../../protocol/urn.ts'
import { audit } from '../db/audit.ts'
import type { Tx } from '../db/pool.ts'
import { notFound, Problem } from '../errors.ts'
import type { StopRow } from './list.ts'

/** Facts that stop payouts because nothing on the chain explains them. */
const UNEXPLAINED = /^(outflow|leak):/

/** What an operator says of a stop's fact: how tokens came to leave us. */
export interface Explanation {
  /** An operator's URN. */
  actor: string
  stopId: string
  explanation: string
}

/**
 * Says, once and for good, why tokens left us that nothing on the chain explains. The worker books them as lost when it next
 * looks at that fact, still verified at every node; the stop stands until it is lifted. Throws 404 for no such stop, and
 * stops/nothing-to-explain for one that was thrown for another reason, or was explained before.
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

/** Whether an operator has said why a fact came about that nothing on the chain explains. */
export async function isExplained(tx: Tx, fact: string): Promise<boolean> {
  const stop = tx.selectFrom('market.payout_stops').select('id').where('fact', '=', fact)
  return (await stop.where('explanation', 'is not', null).executeTakeFirst()) !== undefined
}
