import { notFound } from '../../errors.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { ASK_COLUMNS, type AskRow } from './find.ts'

/** Which of a seller's asks to list, and where to begin. */
export interface AskFilter {
  active: boolean | undefined
  /** The id of the last ask of the previous page. */
  before: string | undefined
  limit: number
}

/** Lists a seller's asks, newest first. */
export async function listAskRows(tx: Tx, sellerId: string, { active, before, limit }: AskFilter): Promise<AskRow[]> {
  let query = tx.selectFrom('market.asks').select(ASK_COLUMNS).where('seller_id', '=', sellerId)
  if (active !== undefined) query = query.where('active', '=', active)
  if (before) query = query.where('id', '<', before)
  return query.orderBy('id', 'desc').limit(limit).execute()
}

/** Throws 404 if there is no such agent. */
export async function requireSeller(tx: Tx, agentId: string): Promise<void> {
  await tx
    .selectFrom('market.agents')
    .select('id')
    .where('id', '=', agentId)
    .executeTakeFirstOrThrow(() => notFound('agent'))
}
