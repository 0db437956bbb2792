import { sql } from 'kysely'
import { notFound } from '../../../errors.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { ASK_COLUMNS, type AskRow } from '../find.ts'

/** Which of a seller's asks to list, and where to begin. */
export interface AskFilter {
  active: boolean | undefined
  /** The id of the last ask of the previous page. */
  before: string | undefined
  limit: number
}

/** Lists the asks of some sellers, newest first. */
export async function listAskRows(
  tx: Tx,
  sellerIds: readonly string[],
  { active, before, limit }: AskFilter,
): Promise<AskRow[]> {
  // One query a seller, so that each reads its index backwards and stops.
  return tx
    .selectFrom(sql<{ id: string }>`unnest(${sellerIds}::uuid[])`.as<'own'>(sql`own(id)`))
    .innerJoinLateral(
      (from) =>
        from
          .selectFrom('market.asks')
          .select(ASK_COLUMNS)
          .whereRef('seller_id', '=', 'own.id')
          .$if(active !== undefined, (query) => query.where('active', '=', active ?? true))
          .$if(before !== undefined, (query) => query.where('market.asks.id', '<', before ?? ''))
          .orderBy('market.asks.id', 'desc')
          .limit(limit)
          .as('ask'),
      (join) => join.onTrue(),
    )
    .select(ASK_COLUMNS.map((column) => `ask.${column}` as const))
    .orderBy('ask.id', 'desc')
    .limit(limit)
    .execute()
}

/** Throws 404 if there is no such agent. */
export async function requireSeller(tx: Tx, agentId: string): Promise<void> {
  await tx
    .selectFrom('market.agents')
    .select('id')
    .where('id', '=', agentId)
    .executeTakeFirstOrThrow(() => notFound('agent'))
}
