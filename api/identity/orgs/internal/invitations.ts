import { type RawBuilder, sql } from 'kysely'
import { urn, urnString } from '../../../../protocol/encoding/urn.ts'
import type { Actor, CallContext, Settings } from '../../../context.ts'
import { notFound, Problem } from '../../../errors.ts'
import { announce } from '../../../platform/announcements/announce.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { OrgRole } from '../../../platform/db/generated/tables.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { requireOrgRoom } from '../../accounts/caps.ts'
import { lockHuman } from '../../accounts/owner.ts'
import { InvitationChanged, MembershipChanged } from '../../announcements.ts'
import { lockOrg, lockOrgAs, type OrgRow, readOrg, requireRole } from '../find.ts'
import { orgProblems } from '../problems.ts'

interface InvitationRow {
  /** The page cursor: the id of the human, or of the org. */
  id: string
  org_id: string
  slug: string
  display_name: string
  human_id: string
  invited_by: string
  role: OrgRole
  expires_at: Date
}

interface Page {
  after: string | undefined
  limit: number
}

/**
 * Invites a human to an org. Throws 404 for an org the caller is not in or an unknown human, 403 for members
 * and for admins who grant more than `member`, and orgs/already-member.
 */
export async function invite(
  tx: Tx,
  { actor, settings }: { actor: Actor; settings: Settings },
  orgId: string,
  { humanId, role }: { humanId: string; role: OrgRole },
): Promise<InvitationRow> {
  const org = await lockOrgAs(tx, actor, orgId, ['owner', 'admin'])
  if (role !== 'member') requireRole(org, ['owner'])
  await lockHuman(tx, humanId, () => notFound('human'))
  const { rows: members } = await sql`
    select from market.org_members where org_id = ${orgId} and human_id = ${humanId}`.execute(tx)
  if (members.length > 0) {
    throw new Problem(orgProblems.alreadyMember, { detail: 'This person is already in the org.', field: 'human_urn' })
  }
  await sql`
    insert into market.org_invitations (org_id, human_id, role, invited_by, expires_at)
    values (${orgId}, ${humanId}, ${role}, ${actor.humanId},
      market.now() + make_interval(secs => ${settings.rules.invitationSeconds}))
    on conflict (org_id, human_id) do update
      set role = excluded.role, invited_by = excluded.invited_by, created_at = market.now(), expires_at = excluded.expires_at
    `.execute(tx)
  await tell(tx, actor, 'org.invite', humanId, { org: urnString('org', orgId), role })
  const invited = { orgId, invitation: humanId, role, isByEmail: false, actor }
  await announce(tx, settings, InvitationChanged, { change: 'created', ...invited })
  const [invitation] = await listOpen(tx, sql`invitation.org_id = ${orgId} and invitation.human_id = ${humanId}`, {
    by: 'human_id',
    page: { after: undefined, limit: 1 },
  })
  if (!invitation) throw new Error('an invitation was lost in the transaction that made it')
  return invitation
}

/** Adds the caller to an org that has invited them. Throws the uniform 404 without an invitation. */
export async function join(
  tx: Tx,
  { actor, settings }: Pick<CallContext, 'actor' | 'settings'>,
  orgId: string,
): Promise<OrgRow> {
  await lockOrg(tx, orgId)
  const { rows } = await sql<{ role: OrgRole; invited_by: string }>`
    delete from market.org_invitations
    where org_id = ${orgId} and human_id = ${actor.humanId} and expires_at > market.now() returning role, invited_by`.execute(
    tx,
  )
  const [invitation] = rows
  if (!invitation) throw notFound('org')
  return admit(tx, { actor, settings }, orgId, { role: invitation.role, invitedBy: invitation.invited_by })
}

/**
 * Makes the caller a member of an org, which is locked, and tells the org and who invited them. An invitation
 * by URN ends with it. Throws orgs/too-many.
 */
export async function admit(
  tx: Tx,
  { actor, settings }: Pick<CallContext, 'actor' | 'settings'>,
  orgId: string,
  { role, invitedBy }: { role: OrgRole; invitedBy: string },
): Promise<OrgRow> {
  await sql`delete from market.org_invitations where org_id = ${orgId} and human_id = ${actor.humanId}`.execute(tx)
  if (role === 'owner') await requireOrgRoom(tx, actor.humanId, settings.rules.maxOwnedOrgs)
  await tx.insertInto('market.org_members').values({ org_id: orgId, human_id: actor.humanId, role }).execute()
  await tell(tx, actor, 'org.join', actor.humanId, { org: urnString('org', orgId), role })
  const { humanId } = actor
  await announce(tx, settings, MembershipChanged, { change: 'added', orgId, humanId, role, actor, invitedBy })
  return readOrg(tx, actor, orgId)
}

/** Withdraws an invitation, or declines it. Throws 404, and 403 for members. */
export async function withdraw(
  tx: Tx,
  { actor, settings }: Pick<CallContext, 'actor' | 'settings'>,
  orgId: string,
  humanId: string,
): Promise<void> {
  if (humanId !== actor.humanId) await lockOrgAs(tx, actor, orgId, ['owner', 'admin'])
  const { rows } = await sql<{ role: OrgRole }>`
    delete from market.org_invitations where org_id = ${orgId} and human_id = ${humanId} returning role`.execute(tx)
  const [withdrawn] = rows
  if (!withdrawn) throw notFound('invitation')
  await tell(tx, actor, 'org.withdraw_invitation', humanId, { org: urnString('org', orgId) })
  const { role } = withdrawn
  const ended = { orgId, invitation: humanId, role, isByEmail: false, actor }
  await announce(tx, settings, InvitationChanged, { change: 'ended', ...ended })
}

/** Lists the open invitations of an org. Throws 404, and 403 for members, who may not invite. */
export async function listOfOrg(tx: Tx, actor: Actor, orgId: string, page: Page): Promise<InvitationRow[]> {
  requireRole(await readOrg(tx, actor, orgId), ['owner', 'admin'])
  return listOpen(tx, sql`invitation.org_id = ${orgId}`, { by: 'human_id', page })
}

/** Lists the open invitations that were sent to the caller. */
export async function listOwn(tx: Tx, { humanId }: Actor, page: Page): Promise<InvitationRow[]> {
  return listOpen(tx, sql`invitation.human_id = ${humanId}`, { by: 'org_id', page })
}

async function listOpen(
  tx: Tx,
  which: RawBuilder<unknown>,
  { by, page }: { by: 'human_id' | 'org_id'; page: Page },
): Promise<InvitationRow[]> {
  const key = sql.ref(`invitation.${by}`)
  const { rows } = await sql<InvitationRow>`
    select ${key} as id, invitation.org_id, org.slug, org.display_name, invitation.human_id, invitation.invited_by,
      invitation.role, invitation.expires_at
    from market.org_invitations invitation join market.orgs org on org.id = invitation.org_id
    where ${which} and invitation.expires_at > market.now() ${page.after ? sql`and ${key} > ${page.after}` : sql``}
    order by ${key} limit ${page.limit}`.execute(tx)
  return rows
}

async function tell(tx: Tx, { humanId }: Actor, action: string, of: string, details: Record<string, string>) {
  await audit(tx, { actor: urnString('human', humanId), action, subject: urnString('human', of), details })
}

/** Returns an invitation in its wire form. */
export function toInvitation(row: InvitationRow) {
  return {
    org_urn: urn('org', row.org_id),
    slug: row.slug,
    display_name: row.display_name,
    human_urn: urn('human', row.human_id),
    invited_by: urn('human', row.invited_by),
    role: row.role,
    expires_at: row.expires_at.toISOString(),
  }
}
