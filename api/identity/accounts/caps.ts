import { sql } from 'kysely'
import { Problem } from '../../errors.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { orgProblems } from '../orgs/problems.ts'
import { accountProblems } from './problems.ts'

/** Throws orgs/too-many if a human already owns the maximum number of orgs: each org has its own quota. */
export async function requireOrgRoom(tx: Tx, humanId: string, most: number): Promise<void> {
  await lockCaps(tx, humanId)
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from market.org_members where human_id = ${humanId} and role = 'owner'`.execute(tx)
  if ((rows[0]?.count ?? 0) < most) return
  throw new Problem(orgProblems.tooMany, {
    detail: `A person owns at most ${most} orgs. Delete or hand over one first.`,
  })
}

/**
 * Throws agents/too-many if a human already has the maximum number of active agents: each agent has its own
 * rate limit.
 */
export async function requireAgentRoom(tx: Tx, humanId: string, most: number): Promise<void> {
  await lockCaps(tx, humanId)
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from market.agents
    where owner_id = ${humanId} and deactivated_at is null`.execute(tx)
  if ((rows[0]?.count ?? 0) < most) return
  throw new Problem(accountProblems.tooMany, {
    detail: `A person has at most ${most} active agents. Deactivate one first.`,
  })
}

// Serialises concurrent calls, so that each counts what the other creates. Does not lock the human's row,
// because every call of that person holds it.
async function lockCaps(tx: Tx, humanId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`caps ${humanId}`}, 0))`.execute(tx)
}
