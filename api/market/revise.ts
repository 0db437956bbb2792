import { sql } from 'kysely'
import { holdActiveAgent } from '../accounts/activeAgent.ts'
import type { AgentCall } from '../context.ts'
import type { Tx } from '../db/pool.ts'
import { notFound, Problem } from '../errors.ts'
import { ASK_COLUMNS, type AskRow, recordVersion } from './find.ts'
import { requireMatch } from './ifMatch.ts'
import { requireOfferable } from './limits.ts'
import type { AskChanges } from './routes.ts'

/**
 * Changes an ask and gives it a new version; orders keep the one they bought.
 * Throws 404 for no ask, 403 to anyone but its seller, 409 to one that has ended, 412 where If-Match names another version
 * than the present one, 422 for what the market's limits refuse.
 */
export async function reviseAsk(
  tx: Tx,
  call: AgentCall,
  askId: string,
  { changes, ifMatch }: { changes: AskChanges; ifMatch: string | undefined },
): Promise<AskRow> {
  await holdActiveAgent(tx, call.actor.humanId, call.actor.agentId)
  const ask = await lockAsk(tx, askId)
  if (ask.seller_id !== call.actor.agentId) {
    throw new Problem('auth/forbidden', { detail: 'Only the seller of an ask may change it.' })
  }
  requireMatch(ifMatch, ask.version)
  const { price = ask.price_micros, ...columns } = changes
  // Checked on the whole: two changes that are each within the limits may not be so together.
  requireOfferable(call.settings.rules, {
    priceMicros: price,
    slaSeconds: changes.sla_seconds ?? ask.sla_seconds,
    autoAcceptSeconds: changes.auto_accept_seconds ?? ask.auto_accept_seconds,
  })
  const revised = await tx
    .updateTable('market.asks')
    .set({ ...columns, price_micros: price, version: ask.version + 1, updated_at: sql`market.now()` })
    .where('id', '=', askId)
    .returning(ASK_COLUMNS)
    .executeTakeFirstOrThrow()
  await recordVersion(tx, revised)
  return revised
}

async function lockAsk(tx: Tx, askId: string): Promise<AskRow> {
  const query = tx.selectFrom('market.asks').select(ASK_COLUMNS).where('id', '=', askId).forNoKeyUpdate()
  return query.executeTakeFirstOrThrow(() => notFound('ask'))
}
