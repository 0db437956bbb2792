import { sql } from 'kysely'
import type { Actor } from '../../context.ts'
import { Problem } from '../../errors.ts'
import type { Tx } from '../../platform/db/pool.ts'
import type { WebhookOwner } from '../../platform/webhooks/owner.ts'
import { type Member, requireMember } from '../membership.ts'

/** A member who manages the webhooks of an org. */
export interface WebhookManager {
  member: Member
  owner: WebhookOwner
}

/** Returns the caller as who manages the webhooks of an org. Throws the uniform 404, and 403 but for owners and admins. */
export async function requireManager(tx: Tx, actor: Actor, slug: string): Promise<WebhookManager> {
  const member = await requireMember(tx, actor, slug)
  const { orgId, role, urn } = member
  if (role === 'member') {
    throw new Problem('auth/forbidden', { detail: 'Webhooks are for owners and admins of the org; you are a member.' })
  }
  const { humanId, agentId } = actor
  const owner = { accountId: orgId, humanId, orgId, agentId, urn, which: sql<boolean>`org_id = ${orgId}` }
  return { member, owner }
}
