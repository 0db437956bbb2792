import { sql } from 'kysely'
import { groundProblems, Problem } from '../../../errors.ts'
import type { WebhookOwner } from '../../../platform/webhooks/owner.ts'
import type { Member } from '../../membership.ts'
import type { MemberCall } from '../../serveMember.ts'

/** A member who manages the webhooks of an org. */
export interface WebhookManager {
  member: Member
  owner: WebhookOwner
}

/**
 * Returns the caller as a manager of the webhooks of an org. Throws 403 unless they are an owner or admin.
 */
export function requireManager({ actor, member }: MemberCall): WebhookManager {
  const { orgId, role, urn } = member
  if (role === 'member') {
    throw new Problem(groundProblems.forbidden, {
      detail: 'Webhooks are for owners and admins of the org; you are a member.',
    })
  }
  const { humanId, agentId } = actor
  const owner = { accountId: orgId, humanId, orgId, agentId, urn, which: sql<boolean>`org_id = ${orgId}` }
  return { member, owner }
}
