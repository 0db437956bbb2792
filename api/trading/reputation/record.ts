import { sql } from 'kysely'
import { composite, ratio, SCALE } from '../../../protocol/records/reputation.ts'
import type { Settings } from '../../context.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { alphaBpsOf } from './alpha.ts'

const MIDDLE_MICROS = 3n * SCALE
// The mean of a seller whom few people rated stays near the middle, as if it had this much weight of threes.
const PRIOR_WEIGHT = 20n * SCALE
const HIGHEST_PERMILLE = 999n

/**
 * Brings a seller's reputation up to the records of an order: its settlement, its verdict, its rating. The
 * order must be locked. Changes nothing for an order that has neither a final receipt nor a verdict, or that
 * counted before as it does now.
 */
export async function recordReputation(tx: Tx, { rules }: Pick<Settings, 'rules'>, orderId: string): Promise<void> {
  const { rows } = await sql<{ subject: string | null }>`
    select market.record_contribution(${orderId}) as subject`.execute(tx)
  const subject = rows[0]?.subject
  if (subject) await rank(tx, subject, alphaBpsOf(rules))
}

/**
 * Sets the search boost of the seller's listings: the mean of its ratings, in which each person behind buyers
 * counts once.
 */
async function rank(tx: Tx, subjectId: string, alpha: bigint): Promise<void> {
  const totals = await tx
    .selectFrom('market.reputation_totals')
    .select(['rank_weight', 'rank_stars', 'lost_weight', 'completed_weight'])
    .where('subject_id', '=', subjectId)
    .executeTakeFirstOrThrow()
  const mean = (totals.rank_stars + PRIOR_WEIGHT * MIDDLE_MICROS) / (totals.rank_weight + PRIOR_WEIGHT)
  const above = composite(mean, ratio(totals.lost_weight, totals.completed_weight), alpha) - MIDDLE_MICROS
  const permille = above > 0n ? (HIGHEST_PERMILLE * above) / (2n * SCALE) : 0n
  await tx
    .updateTable('market.agents')
    .set({ reputation_permille: Number(permille) })
    .where('id', '=', subjectId)
    .where('reputation_permille', '<>', Number(permille))
    .execute()
}
