import { createHmac, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import { urn } from '../../../protocol/encoding/urn.ts'
import type { CallContext, Settings } from '../../context.ts'
import { notFound, Problem } from '../../errors.ts'
import { announce } from '../../platform/announcements/announce.ts'
import type { OrgRole } from '../../platform/db/generated/tables.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { addressHash } from '../accounts/addressHash.ts'
import { InvitationChanged } from '../announcements.ts'
import { hashSecret } from '../authentication/credential.ts'
import { endEmailInvitations } from './emailInvitations.ts'
import { lockOrg, type OrgRow } from './find.ts'
import { admit } from './internal/invitations.ts'
import { orgProblems } from './problems.ts'

const HASH_BYTES = 32

type Call = Pick<CallContext, 'actor' | 'settings'>

/**
 * Returns what the invitation of a token says. Throws the uniform 404 for a token that is unknown, used or
 * expired.
 */
export async function readInvitation(tx: Tx, token: string) {
  const { rows } = await sql<{
    org_id: string
    slug: string
    display_name: string
    invited_by: string
    role: OrgRole
    expires_at: Date
  }>`
    select org.id as org_id, org.slug, org.display_name, inviter.display_name as invited_by, invitation.role, invitation.expires_at
    from market.email_invitations invitation join market.orgs org on org.id = invitation.org_id
    join market.humans inviter on inviter.id = invitation.invited_by
    where invitation.token_hash = ${hashSecret(token)} and invitation.expires_at > market.now()`.execute(tx)
  const [invitation] = rows
  if (!invitation) throw notFound('invitation')
  const { org_id, expires_at, ...told } = invitation
  return { org_urn: urn('org', org_id), ...told, expires_at: expires_at.toISOString() }
}

/**
 * Makes the caller a member of the org that a token invites to, and uses the token up. Whoever has the link
 * may accept it: the org and the inviter are told who did. Throws the uniform 404, orgs/already-member, and
 * orgs/too-many for an owner of too many orgs.
 */
export async function acceptInvitation(tx: Tx, call: Call, token: string): Promise<OrgRow> {
  const orgId = await orgOf(tx, token)
  await lockOrg(tx, orgId)
  const [invitation] = await endEmailInvitations(tx, withToken(token))
  if (!invitation) throw notFound('invitation')
  const { rows } = await sql`
    select from market.org_members where org_id = ${orgId} and human_id = ${call.actor.humanId}`.execute(tx)
  if (rows.length > 0) throw new Problem(orgProblems.alreadyMember, { detail: 'You are in this org already.' })
  return admit(tx, call, orgId, { role: invitation.role, invitedBy: invitation.invited_by })
}

/** Declines the invitation of a token, which uses it up. Throws the uniform 404. */
export async function declineInvitation(
  tx: Tx,
  { settings }: Pick<CallContext, 'settings'>,
  token: string,
): Promise<void> {
  const [invitation] = await endEmailInvitations(tx, withToken(token))
  if (!invitation) throw notFound('invitation')
  const { id, org_id: orgId, role } = invitation
  await announce(tx, settings, InvitationChanged, {
    ...{ change: 'ended', orgId, invitation: id, role, isByEmail: true },
    // The org is not told who has the address.
    actor: null,
  })
}

/** Whether an address takes no invitations. */
export async function refusesInvitations(tx: Tx, address: Buffer): Promise<boolean> {
  const { rows } = await sql`
    select from market.invitation_refusals where address_hash = ${address}`.execute(tx)
  return rows.length > 0
}

/**
 * Ends the open invitations to the address of a token, and has no mail of an invitation sent there any more.
 * Repeating this changes nothing. Throws the uniform 404 for a token that we did not make.
 */
export async function refuseInvitations(tx: Tx, settings: Pick<Settings, 'secretKey'>, token: string): Promise<void> {
  const bytes = Buffer.from(token, 'base64url')
  const [address, signature] = [bytes.subarray(0, HASH_BYTES), bytes.subarray(HASH_BYTES)]
  const expected = signatureOf(settings, address)
  if (signature.length !== expected.length || !timingSafeEqual(signature, expected)) throw notFound('link')
  await sql`insert into market.invitation_refusals (address_hash) values (${address}) on conflict do nothing`.execute(
    tx,
  )
  await endEmailInvitations(tx, sql`address_hash = ${address}`)
}

/** Returns the token with which the owner of an address refuses invitations. It does not expire. */
export function refusalToken(settings: Pick<Settings, 'secretKey'>, address: Buffer): string {
  return Buffer.concat([address, signatureOf(settings, address)]).toString('base64url')
}

/** Ends the open invitations to the address of a human. */
export async function endInvitationsTo(tx: Tx, settings: Pick<Settings, 'secretKey'>, humanId: string): Promise<void> {
  const { email } = await tx
    .selectFrom('market.humans')
    .select('email')
    .where('id', '=', humanId)
    .executeTakeFirstOrThrow()
  await endEmailInvitations(tx, sql`address_hash = ${addressHash(settings, email)}`)
}

async function orgOf(tx: Tx, token: string): Promise<string> {
  const { rows } = await sql<{ org_id: string }>`
    select org_id from market.email_invitations where ${withToken(token)}`.execute(tx)
  const [invitation] = rows
  if (!invitation) throw notFound('invitation')
  return invitation.org_id
}

function withToken(token: string) {
  return sql`token_hash = ${hashSecret(token)} and expires_at > market.now()`
}

function signatureOf({ secretKey }: Pick<Settings, 'secretKey'>, address: Buffer): Buffer {
  return createHmac('sha256', Buffer.from(secretKey, 'hex'))
    .update(JSON.stringify(['no invitations', address.toString('hex')]))
    .digest()
}
