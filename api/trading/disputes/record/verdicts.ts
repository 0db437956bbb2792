import type { Selectable } from 'kysely'
import type { Actor } from '../../../context.ts'
import { notFound } from '../../../errors.ts'
import type { Database } from '../../../platform/db/generated/tables.ts'
import type { Tx } from '../../../platform/db/pool.ts'

/** A verdict as stored. */
export type VerdictRow = Selectable<Database['market.verdicts']>

/** Returns the verdict of a dispute that stands, or undefined. */
export async function latestVerdict(tx: Tx, disputeId: string): Promise<VerdictRow | undefined> {
  return tx
    .selectFrom('market.verdicts')
    .selectAll()
    .where('dispute_id', '=', disputeId)
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Returns the verdicts of a dispute, the first one first. */
export async function verdictsOf(tx: Tx, disputeId: string): Promise<VerdictRow[]> {
  return tx.selectFrom('market.verdicts').selectAll().where('dispute_id', '=', disputeId).orderBy('sequence').execute()
}

/**
 * Returns a verdict to the parties of its order, and to everyone if the receipt is public. Throws the uniform
 * 404 for anyone else, and if there is none.
 */
export async function findVerdict(tx: Tx, actor: Actor, verdictId: string): Promise<VerdictRow> {
  const found = await tx
    .selectFrom('market.verdicts as verdict')
    .innerJoin('market.disputes as dispute', 'dispute.id', 'verdict.dispute_id')
    .innerJoin('market.orders as order', 'order.id', 'dispute.order_id')
    .selectAll('verdict')
    .select(['order.buyer_id', 'order.seller_id', 'order.receipt_privacy'])
    .where('verdict.id', '=', verdictId)
    .executeTakeFirst()
  const isParty = found && (actor.agentId === found.buyer_id || actor.agentId === found.seller_id)
  if (found && (isParty || found.receipt_privacy === 'public')) return found
  throw notFound('verdict')
}
