import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { newId } from '../../../protocol/encoding/ids.ts'
import { urn, urnString } from '../../../protocol/encoding/urn.ts'
import type { Actor, CallContext, Settings } from '../../context.ts'
import { notFound, Problem } from '../../errors.ts'
import { announce } from '../../platform/announcements/announce.ts'
import { audit } from '../../platform/audit/audit.ts'
import type { OrgRole } from '../../platform/db/generated/tables.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { httpProblems } from '../../platform/http/serve/problems.ts'
import { openSeed, type SealingKeys, sealSeed } from '../../platform/signing/seal.ts'
import { addressHash } from '../accounts/addressHash.ts'
import { InvitationChanged } from '../announcements.ts'
import { hashSecret } from '../authentication/credential.ts'
import { lockOrgAs, readOrg, requireRole } from './find.ts'
import { orgProblems } from './problems.ts'

const TOKEN_BYTES = 32
const DAY_SECONDS = 86_400
/** How many invitations by mail an org, and a person, send in a day. */
const MAX_DAILY = 20
/** How many of them an address gets in a day, from all orgs. */
const MAX_DAILY_OF_ADDRESS = 3

interface EmailInvitationRow {
  id: string
  org_id: string
  sealed_address: Buffer
  role: OrgRole
  invited_by: string
  created_at: Date
  expires_at: Date
  is_sending: boolean
}

/**
 * Invites whoever has an e-mail address to an org. The mail is sent by a job; without a mail server the
 * answer has the link, for the inviter to pass on. An address gets one mail of an org until the invitation
 * would have expired, whatever became of it. Throws 404 for an org the caller is not in, 403 for members and
 * for admins who grant more than `member`, orgs/already-invited, and request/rate-limited.
 */
export async function inviteByEmail(
  tx: Tx,
  { actor, settings }: Pick<CallContext, 'actor' | 'settings'>,
  orgId: string,
  { email, role }: { email: string; role: OrgRole },
) {
  const org = await lockOrgAs(tx, actor, orgId, ['owner', 'admin'])
  if (role !== 'member') requireRole(org, ['owner'])
  const address = addressHash(settings, email)
  await refuseMany(tx, { orgId, humanId: actor.humanId, address })
  const id = newId()
  const token = settings.mail ? undefined : drawToken()
  const invitation = await insertInvitation(tx, settings, {
    ...{ id, org_id: orgId, address_hash: address, role, invited_by: actor.humanId },
    sealed_address: sealAddress(settings, id, email),
    token_hash: token === undefined ? null : hashSecret(token),
  })
  await tell(tx, { actor, settings }, 'created', invitation)
  return { invitation, link: token === undefined ? undefined : invitationLink(settings, token) }
}

async function insertInvitation(
  tx: Tx,
  { mail, rules }: Pick<Settings, 'mail' | 'rules'>,
  invited: Pick<EmailInvitationRow, 'id' | 'org_id' | 'sealed_address' | 'role' | 'invited_by'> & {
    address_hash: Buffer
    token_hash: Buffer | null
  },
): Promise<EmailInvitationRow> {
  const { id, org_id, address_hash, sealed_address, role, invited_by, token_hash } = invited
  // A row whose mail was sent, or is to be, stands for as long as it counts. One whose link was shown is
  // replaced.
  const { rows } = await sql<EmailInvitationRow>`
    insert into market.email_invitations (id, org_id, address_hash, sealed_address, role, invited_by, token_hash,
      next_attempt_at, expires_at, kept_until)
    select ${id}::uuid, ${org_id}::uuid, ${address_hash}, ${sealed_address}, ${role}, ${invited_by}::uuid, ${token_hash},
      case when ${mail !== undefined} then market.now() end, market.now() + make_interval(secs => ${rules.invitationSeconds}),
      market.now() + make_interval(secs => ${Math.max(rules.invitationSeconds, DAY_SECONDS)})
    on conflict (org_id, address_hash) do update set id = excluded.id, sealed_address = excluded.sealed_address,
      role = excluded.role, invited_by = excluded.invited_by, token_hash = excluded.token_hash, attempts = 0,
      next_attempt_at = excluded.next_attempt_at, created_at = market.now(), expires_at = excluded.expires_at,
      ended_at = null, kept_until = excluded.kept_until
    where market.email_invitations.kept_until <= market.now()
      or market.email_invitations.attempts = 0 and market.email_invitations.next_attempt_at is null
        and (market.email_invitations.token_hash is not null or market.email_invitations.ended_at is not null)
    returning id, org_id, sealed_address, role, invited_by, created_at, expires_at, next_attempt_at is not null as is_sending`.execute(
    tx,
  )
  const [invitation] = rows
  if (invitation) return invitation
  throw new Problem(orgProblems.alreadyInvited, {
    detail: 'This org has sent an invitation to this address. It can send another once that one would have expired.',
    field: 'email',
  })
}

/** Lists the open invitations by mail of an org, starting behind one. Throws 404, and 403 for members. */
export async function listEmailInvitations(
  tx: Tx,
  actor: Actor,
  orgId: string,
  page: { after: string | undefined; limit: number },
): Promise<EmailInvitationRow[]> {
  requireRole(await readOrg(tx, actor, orgId), ['owner', 'admin'])
  const { rows } = await sql<EmailInvitationRow>`
    select id, org_id, sealed_address, role, invited_by, created_at, expires_at, next_attempt_at is not null as is_sending
    from market.email_invitations
    where org_id = ${orgId} and ended_at is null and expires_at > market.now()
      ${page.after ? sql`and id > ${page.after}` : sql``}
    order by id limit ${page.limit}`.execute(tx)
  return rows
}

/**
 * Withdraws an invitation by mail: its link is good no more, and a mail that was not sent is not. Throws 404,
 * and 403 for members.
 */
export async function withdrawEmailInvitation(
  tx: Tx,
  call: Pick<CallContext, 'actor' | 'settings'>,
  orgId: string,
  id: string,
): Promise<void> {
  await lockOrgAs(tx, call.actor, orgId, ['owner', 'admin'])
  const [ended] = await endEmailInvitations(tx, sql`org_id = ${orgId} and id = ${id} and expires_at > market.now()`)
  if (!ended) throw notFound('invitation')
  await tell(tx, call, 'ended', ended)
}

/** Ends open invitations by mail, and erases their addresses. Returns those that were open. */
export async function endEmailInvitations(tx: Tx, which: ReturnType<typeof sql>) {
  const { rows } = await sql<Pick<EmailInvitationRow, 'id' | 'org_id' | 'role' | 'invited_by'>>`
    update market.email_invitations
    set ended_at = market.now(), sealed_address = null, token_hash = null, next_attempt_at = null
    where ended_at is null and ${which} returning id, org_id, role, invited_by`.execute(tx)
  return rows
}

/** Draws the token of an invitation's link. Only its hash is stored. */
export function drawToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url')
}

/** Returns the link of an invitation. Its token is in the fragment, which browsers send to no server. */
export function invitationLink({ baseUrl }: Pick<Settings, 'baseUrl'>, token: string): string {
  return `${baseUrl}/console/invitation#${token}`
}

function sealAddress({ signingKey }: Pick<Settings, 'signingKey'>, id: string, email: string): Buffer {
  return sealSeed(signingKey, Buffer.from(email).toString('hex'), { email_invitation: id })
}

/**
 * Decrypts the address of an invitation. Throws an Error if it was sealed with another SIGNING_KEY or for
 * another invitation.
 */
export function openAddress(keys: SealingKeys, id: string, sealed: Buffer): string {
  const hex = openSeed(keys, sealed, { email_invitation: id })
  if (hex === undefined) throw new Error(`the address of invitation ${id} was not sealed with this SIGNING_KEY`)
  return Buffer.from(hex, 'hex').toString()
}

/** Seals anew the addresses that were sealed with another SIGNING_KEY. */
export async function sealAddressesAnew(tx: Tx, keys: SealingKeys): Promise<void> {
  const { rows } = await sql<{ id: string; sealed_address: Buffer }>`
    select id, sealed_address from market.email_invitations where sealed_address is not null order by id for no key update`.execute(
    tx,
  )
  for (const { id, sealed_address } of rows) {
    const anew = sealAddress(keys, id, openAddress(keys, id, sealed_address))
    await tx.updateTable('market.email_invitations').set({ sealed_address: anew }).where('id', '=', id).execute()
  }
}

/** Returns an invitation by mail in its wire form, for those who may invite. */
export function toEmailInvitation(settings: SealingKeys, row: EmailInvitationRow) {
  return {
    id: row.id,
    org_urn: urn('org', row.org_id),
    email: openAddress(settings, row.id, row.sealed_address),
    role: row.role,
    invited_by: urn('human', row.invited_by),
    is_sending: row.is_sending,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
  }
}

// The org is locked, so its invitations count each other. Concurrent calls of a person, and to an address,
// wait here.
async function refuseMany(tx: Tx, by: { orgId: string; humanId: string; address: Buffer }): Promise<void> {
  for (const subject of [by.humanId, by.address.toString('hex')])
    await sql`select pg_advisory_xact_lock(hashtextextended(${`email invitations ${subject}`}, 0))`.execute(tx)
  const counted = (which: ReturnType<typeof sql>, most: number) => sql`(
    select created_at from market.email_invitations where ${which} and created_at > market.now() - make_interval(secs => ${DAY_SECONDS})
    order by created_at desc offset ${most - 1} limit 1)`
  const { rows } = await sql<{ seconds: number | null }>`
    select greatest(ceil(extract(epoch from max(nth.created_at) - market.now()))::int + ${DAY_SECONDS}, 1) as seconds
    from (${counted(sql`org_id = ${by.orgId}`, MAX_DAILY)} union all ${counted(sql`invited_by = ${by.humanId}`, MAX_DAILY)}
      union all ${counted(sql`address_hash = ${by.address}`, MAX_DAILY_OF_ADDRESS)}) nth
    having count(*) > 0`.execute(tx)
  const seconds = rows[0]?.seconds
  if (!seconds) return
  throw new Problem(httpProblems.rateLimited, {
    detail: `An org, and a person, invite ${MAX_DAILY} addresses a day, and an address gets ${MAX_DAILY_OF_ADDRESS} invitations a day.`,
    retryAfterSeconds: seconds,
  })
}

async function tell(
  tx: Tx,
  { actor, settings }: Pick<CallContext, 'actor' | 'settings'>,
  change: 'created' | 'ended',
  { id, org_id: orgId, role }: Pick<EmailInvitationRow, 'id' | 'org_id' | 'role'>,
): Promise<void> {
  await audit(tx, {
    actor: urnString('human', actor.humanId),
    action: change === 'created' ? 'org.invite_by_email' : 'org.withdraw_email_invitation',
    subject: urnString('org', orgId),
    details: { invitation: id, role },
  })
  await announce(tx, settings, InvitationChanged, { change, orgId, invitation: id, role, isByEmail: true, actor })
}
