import { sql } from 'kysely'
import type { AgentCall } from '../../../context.ts'
import { groundProblems, notFound, Problem } from '../../../errors.ts'
import { holdActiveAgent } from '../../../identity/accounts/owner.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { matchedVersions } from '../../../platform/http/serve/versionTags.ts'
import { toColumns } from '../../criteria/schema.ts'
import { requireUsableInput, toInputColumns } from '../../inputs/ask.ts'
import { ASK_COLUMNS, type AskRow, recordVersion } from '../find.ts'
import { requireOfferable } from '../limits.ts'
import { askProblems } from '../problems.ts'
import type { AskChanges } from '../routes.ts'

/**
 * Changes an ask and gives it a new version; orders keep the version they bought. Throws 404 if there is no
 * such ask, 403 for anyone but its seller, 409 for a deactivated seller, 412 if If-Match names another
 * version, 422 for terms outside the market's limits and for an input that does not fit together.
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
    throw new Problem(groundProblems.forbidden, { detail: 'Only the seller of an ask may change it.' })
  }
  requireVersion(ifMatch, ask.version)
  const { title, description, max_open_orders, sla_seconds, auto_accept_seconds, active } = changes
  const { price = ask.price_micros } = changes
  // The result is checked as a whole, because two changes that are each within the limits may exceed them
  // together.
  requireOfferable(call.settings.rules, {
    priceMicros: price,
    slaSeconds: sla_seconds ?? ask.sla_seconds,
    autoAcceptSeconds: auto_accept_seconds ?? ask.auto_accept_seconds,
  })
  const revised = await tx
    .updateTable('market.asks')
    .set({
      ...{ title, description, max_open_orders, sla_seconds, auto_accept_seconds, active },
      ...toColumns(changes),
      ...toInputColumns(changes),
      ...{ price_micros: price, version: ask.version + 1, updated_at: sql`market.now()` },
    })
    .where('id', '=', askId)
    .returning(ASK_COLUMNS)
    .executeTakeFirstOrThrow()
  requireUsableInput(revised)
  await recordVersion(tx, revised)
  return revised
}

async function lockAsk(tx: Tx, askId: string): Promise<AskRow> {
  const query = tx.selectFrom('market.asks').select(ASK_COLUMNS).where('id', '=', askId).forNoKeyUpdate()
  return query.executeTakeFirstOrThrow(() => notFound('ask'))
}

function requireVersion(header: string | undefined, version: number): void {
  if (matchedVersions(header)?.includes(version) ?? true) return
  throw new Problem(askProblems.versionMismatch, {
    detail: `The ask is at version ${version} now, and If-Match names another. Read it again, then decide anew.`,
    field: 'If-Match',
  })
}
