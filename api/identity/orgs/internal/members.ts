import { sql } from 'kysely'
import { urn, urnString } from '../../../../protocol/encoding/urn.ts'
import type { Actor, CallContext } from '../../../context.ts'
import { groundProblems, notFound, Problem } from '../../../errors.ts'
import { announce } from '../../../platform/announcements/announce.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { OrgRole } from '../../../platform/db/generated/tables.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { requireOrgRoom } from '../../accounts/caps.ts'
import { MembershipChanged } from '../../announcements.ts'
import { endEmailInvitations } from '../emailInvitations.ts'
import { lockOrgAs, readOrg } from '../find.ts'
import { orgProblems } from '../problems.ts'

type Call = Pick<CallContext, 'actor' | 'settings'>

interface MemberRow {
  /** The human's id. */
  id: string
  display_name: string
  role: OrgRole
  joined_at: Date
}

/** Lists the members of an org the caller is in, starting behind a human. Throws the uniform 404. */
export async function listMemberRows(
  tx: Tx,
  actor: Actor,
  orgId: string,
  page: { after: string | undefined; limit: number },
): Promise<MemberRow[]> {
  await readOrg(tx, actor, orgId)
  const { rows } = await sql<MemberRow>`
    select human.id, human.display_name, member.role, member.joined_at
    from market.org_members member join market.humans human on human.id = member.human_id
    where member.org_id = ${orgId} ${page.after ? sql`and member.human_id > ${page.after}` : sql``}
    order by member.human_id limit ${page.limit}`.execute(tx)
  return rows
}

/**
 * Changes a member's role; does nothing if they already have it. Throws 404, 403 unless the caller is an
 * owner, orgs/last-owner if no owner would be left, and orgs/too-many if the new owner already owns the
 * maximum.
 */
export async function changeRole(
  tx: Tx,
  { actor, settings }: Call,
  { orgId, humanId, role }: { orgId: string; humanId: string; role: OrgRole },
) {
  await lockOrgAs(tx, actor, orgId, ['owner'])
  const before = await readMember(tx, orgId, humanId)
  if (role === before.role) return before
  if (role === 'owner') await requireOrgRoom(tx, humanId, settings.rules.maxOwnedOrgs)
  else await requireOtherOwner(tx, orgId, before)
  await tx
    .updateTable('market.org_members')
    .set({ role })
    .where('org_id', '=', orgId)
    .where('human_id', '=', humanId)
    .execute()
  await withdrawInvitationsBy(tx, orgId, humanId)
  await tell(tx, actor, 'org.change_role', humanId, { org: urnString('org', orgId), role })
  await announce(tx, settings, MembershipChanged, { change: 'role_changed', orgId, humanId, role, actor })
  return { ...before, role }
}

/**
 * Removes a member from an org. Owners remove anyone, admins remove members, and everyone may leave. Throws
 * 404, 403 otherwise, and orgs/last-owner if no owner would be left.
 */
export async function removeMember(tx: Tx, { actor, settings }: Call, orgId: string, humanId: string): Promise<void> {
  const isSelf = humanId === actor.humanId
  const org = await lockOrgAs(tx, actor, orgId, isSelf ? ['owner', 'admin', 'member'] : ['owner', 'admin'])
  const member = await readMember(tx, orgId, humanId)
  if (!isSelf && org.role === 'admin' && member.role !== 'member') {
    throw new Problem(groundProblems.forbidden, {
      detail: 'An admin can remove only members. An owner can remove owners and admins.',
    })
  }
  await requireOtherOwner(tx, orgId, member)
  await tx.deleteFrom('market.org_members').where('org_id', '=', orgId).where('human_id', '=', humanId).execute()
  await withdrawInvitationsBy(tx, orgId, humanId)
  await tell(tx, actor, isSelf ? 'org.leave' : 'org.remove', humanId, { org: urnString('org', orgId) })
  const { role } = member
  await announce(tx, settings, MembershipChanged, { change: 'removed', orgId, humanId, role, actor })
}

async function readMember(tx: Tx, orgId: string, humanId: string): Promise<MemberRow> {
  const { rows } = await sql<MemberRow>`
    select human.id, human.display_name, member.role, member.joined_at
    from market.org_members member join market.humans human on human.id = member.human_id
    where member.org_id = ${orgId} and member.human_id = ${humanId}`.execute(tx)
  const [row] = rows
  if (row) return row
  throw notFound('member')
}

async function requireOtherOwner(tx: Tx, orgId: string, { id, role }: MemberRow): Promise<void> {
  if (role !== 'owner') return
  const other = await tx
    .selectFrom('market.org_members')
    .select('human_id')
    .where('org_id', '=', orgId)
    .where('role', '=', 'owner')
    .where('human_id', '<>', id)
    .limit(1)
    .executeTakeFirst()
  if (other) return
  throw new Problem(orgProblems.lastOwner, {
    detail: 'An org needs an owner. Make another member an owner first, or delete the org.',
  })
}

// Invitations become invalid when their sender loses the right to invite to that role.
async function withdrawInvitationsBy(tx: Tx, orgId: string, humanId: string): Promise<void> {
  await tx.deleteFrom('market.org_invitations').where('org_id', '=', orgId).where('invited_by', '=', humanId).execute()
  await endEmailInvitations(tx, sql`org_id = ${orgId} and invited_by = ${humanId}`)
}

async function tell(tx: Tx, { humanId }: Actor, action: string, of: string, details: Record<string, string>) {
  await audit(tx, { actor: urnString('human', humanId), action, subject: urnString('human', of), details })
}

/** Returns a member in its wire form. */
export function toMember({ id, display_name, role, joined_at }: MemberRow) {
  return { human_urn: urn('human', id), display_name, role, joined_at: joined_at.toISOString() }
}
