import { sql } from 'kysely'
import { Problem } from '../../errors.ts'
import type { Tx } from '../../platform/db/pool.ts'

/** Throws orgs/too-many if a human owns as many orgs as one may: each has a quota of its own. */
export async function requireOrgRoom(tx: Tx, humanId: string, most: number): Promise<void> {
  await lockCaps(tx, humanId)
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from market.org_members where human_id = ${humanId} and role = 'owner'`.execute(tx)
  if ((rows[0]?.count ?? 0) < most) return
  throw new Problem('orgs/too-many', { detail: `A person owns at most ${most} orgs. Delete or hand over one first.` })
}

/** Throws agents/too-many if a human has as many active agents as one may: each has a rate limit of its own. */
export async function requireAgentRoom(tx: Tx, humanId: string, most: number): Promise<void> {
  await lockCaps(tx, humanId)
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from market.agents
    where owner_id = ${humanId} and deactivated_at is null`.execute(tx)
  if ((rows[0]?.count ?? 0) < most) return
  throw new Problem('agents/too-many', { detail: `A person has at most ${most} active agents. Deactivate one first.` })
}

// Two calls at once count what the other makes. Not their row: every call of a person holds that.
async function lockCaps(tx: Tx, humanId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`caps ${humanId}`}, 0))`.execute(tx)
}
