import { sql } from 'kysely'
import { urn } from '../../../protocol/encoding/urn.ts'
import type { Actor } from '../../context.ts'
import { groundProblems, notFound, Problem } from '../../errors.ts'
import type { OrgRole } from '../../platform/db/generated/tables.ts'
import type { Db, Tx } from '../../platform/db/pool.ts'

/** An org in the form that its members see. */
export interface OrgRow {
  id: string
  slug: string
  display_name: string
  role: OrgRole
  created_at: Date
}

/**
 * Lists the orgs of a caller, newest first, starting below an id. An agent is in the orgs of its owner that
 * admit it.
 */
export async function listOrgRows(
  tx: Tx,
  { humanId, agentId }: Actor,
  page: { before: string | undefined; limit: number },
): Promise<OrgRow[]> {
  const { rows } = await sql<OrgRow>`
    select org.id, org.slug, org.display_name, own.role, org.created_at
    from market.org_members own join market.orgs org on org.id = own.org_id
    where own.human_id = ${humanId} ${page.before ? sql`and own.org_id < ${page.before}` : sql``}
      and (${agentId}::uuid is null or org.agents_stopped_at is null and not exists (
        select from market.org_agents shut
        where shut.org_id = org.id and shut.agent_id = ${agentId} and shut.state <> 'active'))
    order by own.org_id desc limit ${page.limit}`.execute(tx)
  return rows
}

/** Returns an org the caller is in. Throws the uniform 404. */
export async function readOrg(db: Db, { humanId }: Actor, orgId: string): Promise<OrgRow> {
  const { rows } = await sql<OrgRow>`
    select org.id, org.slug, org.display_name, own.role, org.created_at
    from market.org_members own join market.orgs org on org.id = own.org_id
    where own.org_id = ${orgId} and own.human_id = ${humanId}`.execute(db)
  const [row] = rows
  if (row) return row
  throw notFound('org')
}

/**
 * Returns an org and locks it before a change to its membership, so that concurrent changes see each other.
 * Throws the uniform 404 if the caller is not in it, and 403 unless the caller has one of these roles.
 */
export async function lockOrgAs(tx: Tx, actor: Actor, orgId: string, roles: readonly OrgRole[]): Promise<OrgRow> {
  await lockOrg(tx, orgId)
  const org = await readOrg(tx, actor, orgId)
  requireRole(org, roles)
  return org
}

/** Locks an org against concurrent changes to its membership. */
export async function lockOrg(tx: Tx, orgId: string): Promise<void> {
  await sql`select from market.orgs where id = ${orgId} for update`.execute(tx)
}

/** Throws 403 unless the caller's role is one of these. */
export function requireRole(org: OrgRow, roles: readonly OrgRole[]): void {
  if (roles.includes(org.role)) return
  throw new Problem(groundProblems.forbidden, {
    detail: `This needs the role ${roles.join(' or ')}; yours is ${org.role}.`,
  })
}

/** Returns an org in its wire form. */
export function toOrg(row: OrgRow) {
  const { id, slug, display_name, role, created_at } = row
  return { urn: urn('org', id), slug, display_name, role, created_at: created_at.toISOString() }
}
