import { urnString } from '../../protocol/urn.ts'
import type { Actor } from '../context.ts'
import { notFound } from '../errors.ts'
import type { Db, Tx } from '../platform/db/pool.ts'
import type { OrgRole } from '../platform/db/schema/orgs.ts'

/** A caller as a member of an org. An agent is in the orgs of its owner, with its owner's role. */
export interface Member {
  orgId: string
  role: OrgRole
  /** The agent's id, or the human's. */
  accountId: string
  /** Form B of that account's URN. */
  urn: string
  /** How the caller acts: through an agent, a browser's session, or a token of a human. */
  via: 'agent' | 'web' | 'api'
}

/** Returns the caller as a member of the org with this slug. Throws the uniform 404. */
export async function requireMember(db: Db | Tx, actor: Actor, slug: string): Promise<Member> {
  const row = await db
    .selectFrom('market.org_members as own')
    .innerJoin('market.orgs as org', 'org.id', 'own.org_id')
    .select(['org.id', 'own.role'])
    .where('org.slug', '=', slug)
    .where('own.human_id', '=', actor.humanId)
    .executeTakeFirst()
  if (!row) throw notFound('org')
  const { humanId, agentId, session } = actor
  return {
    orgId: row.id,
    role: row.role,
    accountId: agentId ?? humanId,
    urn: authorOf(actor),
    via: agentId !== null ? 'agent' : session ? 'web' : 'api',
  }
}

/** Returns form B of the URN of whoever calls: what they make is created by that account. */
export function authorOf({ agentId, humanId }: Actor): string {
  return agentId === null ? urnString('human', humanId) : urnString('agent', agentId)
}
