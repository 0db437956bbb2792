import { randomInt } from 'node:crypto'
import { sql } from 'kysely'
import { newId } from '../../../../protocol/encoding/ids.ts'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import type { MarketRules } from '../../../context.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import type { OrderRow } from '../../orders/record/find.ts'
import type { DisputeRow } from '../record/find.ts'

/**
 * Gives a dispute the reviewers it lacks, at random among those unrelated to its parties. A reviewer who did
 * not open the case in time, or is no reviewer any more, is replaced. If nobody is eligible, the dispute
 * waits. Returns how many were assigned. Order and dispute must be locked.
 */
export async function assignReviewers(
  tx: Tx,
  rules: MarketRules,
  order: OrderRow,
  { id: disputeId, reviewers }: DisputeRow,
): Promise<number> {
  await replaceAbsent(tx, rules, disputeId)
  const { active } = await tx
    .selectFrom('market.reviews')
    .select((row) => row.fn.countAll<bigint>().as('active'))
    .where('dispute_id', '=', disputeId)
    .where('ended_at', 'is', null)
    .executeTakeFirstOrThrow()
  const eligible = await findEligible(tx, order, disputeId)
  let assigned = 0
  while (Number(active) + assigned < reviewers && eligible.length > 0) {
    const [reviewerId] = eligible.splice(randomInt(eligible.length), 1)
    if (reviewerId === undefined) break
    await tx
      .insertInto('market.reviews')
      .values({ id: newId(), dispute_id: disputeId, reviewer_id: reviewerId })
      .execute()
    await audit(tx, {
      actor: 'service',
      action: 'review.assign',
      subject: urnString('order', order.id),
      details: { dispute_urn: urnString('dispute', disputeId) },
    })
    assigned++
  }
  return assigned
}

/**
 * Ends the assignments of a dispute: a reviewer of its flagged text does not take part in the decision. The
 * dispute must be locked.
 */
export async function endAssignments(tx: Tx, disputeId: string): Promise<void> {
  await tx
    .updateTable('market.reviews')
    .set({ ended_at: sql<Date>`market.now()` })
    .where('dispute_id', '=', disputeId)
    .where('ended_at', 'is', null)
    .execute()
}

async function replaceAbsent(tx: Tx, { reviewerSeconds }: MarketRules, disputeId: string): Promise<void> {
  await sql`update market.reviews set ended_at = market.now()
    where dispute_id = ${disputeId} and decided_at is null and ended_at is null
      and ((read_at is null and assigned_at <= market.now() - make_interval(secs => ${reviewerSeconds}))
        or not exists (select from market.humans where id = reviewer_id and is_reviewer))`.execute(tx)
}

/**
 * Reviewers who are not behind a party, did not create one and were not created by one, and did not trade
 * with one in a year.
 */
async function findEligible(tx: Tx, order: OrderRow, disputeId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with owner as (
      select owner.id, owner.created_by, owner.person_id from market.agents party join market.humans owner on owner.id = party.owner_id
      where party.id in (${order.buyer_id}, ${order.seller_id})
    ), own as (
      select agent.id, agent.owner_id from market.agents agent
      where agent.owner_id in (select id from market.humans where is_reviewer)
    ), theirs as (
      select agent.id from market.agents agent where agent.owner_id in (select id from owner)
    )
    select reviewer.id from market.humans reviewer
    where reviewer.is_reviewer and reviewer.erased_at is null
      and not exists (select from owner
        where owner.person_id = reviewer.person_id or owner.id = reviewer.created_by or owner.created_by = reviewer.id)
      and not exists (select from market.reviews taken
        where taken.dispute_id = ${disputeId} and taken.reviewer_id = reviewer.id)
      and not exists (
        select from own join market.orders traded
          on (traded.buyer_id = own.id and traded.seller_id in (select id from theirs))
            or (traded.seller_id = own.id and traded.buyer_id in (select id from theirs))
        where own.owner_id = reviewer.id and traded.placed_at > market.now() - interval '12 months')
    order by reviewer.id`.execute(tx)
  return rows.map(({ id }) => id)
}
