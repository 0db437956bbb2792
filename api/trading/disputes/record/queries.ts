import { sql } from 'kysely'
import type { Actor } from '../../../context.ts'
import { notFound } from '../../../errors.ts'
import { feesOf } from '../../../payments/appealFees/find.ts'
import { countOpenAppeals } from '../../../payments/appealFees/offer.ts'
import { sentFor } from '../../../payments/escrow/queries.ts'
import { readClock } from '../../../platform/db/clock.ts'
import type { DisputeState } from '../../../platform/db/generated/tables.ts'
import { anyOf } from '../../../platform/db/lists.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { type OrderRow, type Party, readingParties, sidesOf } from '../../orders/record/find.ts'
import { filesOf } from './evidenceFiles.ts'
import { agentOf, type DisputeRow } from './find.ts'

/** A dispute with everything that its parties may read. */
export type DisputeParts = Awaited<ReturnType<typeof readParts>>

/**
 * Returns a dispute with its parts to one of its parties, or to the human who owns one. Throws the uniform
 * 404 for anyone else.
 */
export async function readDisputeParts(tx: Tx, actor: Actor, disputeId: string): Promise<DisputeParts> {
  const dispute = await tx.selectFrom('market.disputes').selectAll().where('id', '=', disputeId).executeTakeFirst()
  if (!dispute) throw notFound('dispute')
  const orders = tx.selectFrom('market.orders').selectAll().where('id', '=', dispute.order_id)
  const order = await orders.executeTakeFirstOrThrow()
  const sides = sidesOf(order, await readingParties(tx, actor, order))
  if (sides.length === 0) throw notFound('dispute')
  return readParts(tx, { dispute, order, sides, now: await readClock(tx) })
}

/** Lists the disputes of some agents with their parts, newest first. */
export async function listDisputeParts(
  tx: Tx,
  agentIds: readonly string[],
  page: { state: DisputeState | undefined; before: string | undefined; limit: number },
): Promise<(DisputeParts & { id: string })[]> {
  const found = [
    ...(await oneSide(tx, 'buyer_id', agentIds, page)),
    ...(await oneSide(tx, 'seller_id', agentIds, page)),
  ]
  // Between two agents of one human, a dispute is found on both sides.
  const ids = [...new Set(found.map(({ id }) => id))].sort()
  const now = await readClock(tx)
  const listed: (DisputeParts & { id: string })[] = []
  for (const id of ids.reverse().slice(0, page.limit)) {
    const dispute = await tx.selectFrom('market.disputes').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    const orders = tx.selectFrom('market.orders').selectAll().where('id', '=', dispute.order_id)
    const order = await orders.executeTakeFirstOrThrow()
    listed.push({ id, ...(await readParts(tx, { dispute, order, sides: sidesOf(order, agentIds), now })) })
  }
  return listed
}

// One query per side, and in it one an agent, so that each reads its index backwards and stops.
function oneSide(
  tx: Tx,
  side: 'buyer_id' | 'seller_id',
  agentIds: readonly string[],
  { state, before, limit }: Parameters<typeof listDisputeParts>[2],
) {
  return tx
    .selectFrom(sql<{ id: string }>`unnest(${agentIds}::uuid[])`.as<'own'>(sql`own(id)`))
    .innerJoinLateral(
      (from) =>
        from
          .selectFrom('market.orders as order')
          .innerJoin('market.disputes as dispute', 'dispute.id', 'order.dispute_id')
          .select('dispute.id')
          .whereRef(`order.${side}`, '=', 'own.id')
          .where('order.dispute_id', 'is not', null)
          .$if(before !== undefined, (query) => query.where('order.dispute_id', '<', before ?? ''))
          .$if(state !== undefined, (query) => query.where('dispute.state', '=', state ?? 'open'))
          .orderBy('order.dispute_id', 'desc')
          .limit(limit)
          .as('found'),
      (join) => join.onTrue(),
    )
    .select('found.id')
    .orderBy('found.id', 'desc')
    .limit(limit)
    .execute()
}

/** A dispute, the sides that the caller reads it as, and the database's time. */
interface Read {
  order: OrderRow
  dispute: DisputeRow
  sides: readonly Party[]
  now: Date
}

async function readParts(tx: Tx, { order, dispute, sides, now }: Read) {
  const record = await tx
    .selectFrom('market.dispute_records')
    .select('evidence_sha256')
    .where('dispute_id', '=', dispute.id)
    .executeTakeFirst()
  return {
    ...{ order, dispute, sides, now },
    openAppeals: await readOpenAppeals(tx, { order, dispute }),
    statements: await tx
      .selectFrom('market.dispute_statements')
      .selectAll()
      .where('dispute_id', '=', dispute.id)
      .execute(),
    evidence: await tx
      .selectFrom('market.dispute_evidence')
      .selectAll()
      .where('dispute_id', '=', dispute.id)
      .orderBy('id')
      .execute(),
    rejections: await tx
      .selectFrom('market.rejections')
      .selectAll()
      .where('order_id', '=', order.id)
      .orderBy('number')
      .execute(),
    verdicts: await tx
      .selectFrom('market.verdicts')
      .select('id')
      .where('dispute_id', '=', dispute.id)
      .orderBy('sequence', 'desc')
      .execute(),
    appeals: await readAppeals(tx, dispute.id),
    appealStatements: await readAppealStatements(tx, dispute.id),
    files: await filesOf(tx, dispute.id),
    evidenceSha256: record?.evidence_sha256 ?? null,
  }
}

/** Returns the number of open appeals of each side's owner, if a verdict can be appealed. */
async function readOpenAppeals(tx: Tx, { order, dispute }: Pick<Read, 'order' | 'dispute'>) {
  const countOf = async (party: Party) =>
    dispute.state === 'decided' ? countOpenAppeals(tx, agentOf(order, party)) : 0
  return { buyer: await countOf('buyer'), seller: await countOf('seller') }
}

/** Returns the parties' statements to the reviewer of an appeal. */
export async function readAppealStatements(tx: Tx, disputeId: string) {
  return tx
    .selectFrom('market.appeal_statements')
    .selectAll()
    .where('dispute_id', '=', disputeId)
    .orderBy('created_at')
    .execute()
}

async function readAppeals(tx: Tx, disputeId: string) {
  const fees = await feesOf(tx, disputeId)
  const ids = fees.map(({ id }) => id)
  const filed = ids.length === 0 ? [] : await latestAuthorizations(tx, ids)
  return fees.map((fee) => ({ ...fee, filed: filed.find(({ appeal_fee_id }) => appeal_fee_id === fee.id) }))
}

function latestAuthorizations(tx: Tx, feeIds: readonly string[]) {
  return tx
    .selectFrom('market.authorizations as filed')
    .distinctOn('appeal_fee_id')
    .select(['appeal_fee_id', 'state', 'failure'])
    .select(
      sql<string | null>`(${sentFor(sql`'deposit:' || filed.appeal_fee_id || ':' || filed.attempt`)})`.as('txHash'),
    )
    .where('appeal_fee_id', '=', anyOf(feeIds))
    .orderBy('appeal_fee_id')
    .orderBy('attempt', 'desc')
    .execute()
}
