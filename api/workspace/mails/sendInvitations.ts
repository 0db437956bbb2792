import { sql } from 'kysely'
import type { Settings } from '../../context.ts'
import { hashSecret } from '../../identity/authentication/credential.ts'
import { refusalToken, refusesInvitations } from '../../identity/orgs/answerInvitation.ts'
import { drawToken, invitationLink, openAddress } from '../../identity/orgs/emailInvitations.ts'
import type { Db } from '../../platform/db/pool.ts'
import { inTransaction } from '../../platform/db/transaction.ts'
import { forEach } from '../../platform/jobs/each.ts'
import type { JobServices } from '../../platform/jobs/services.ts'
import { deliverMail, type Mail, type MailOutcome, mailLink } from './deliver.ts'

const FIRST_RETRY_SECONDS = 60
const RETRY_FACTOR = 4

interface LeasedInvitation {
  id: string
  address_hash: Buffer
  sealed_address: Buffer
  slug: string
  attempts: number
  expires_at: Date
  is_over: boolean
}

/**
 * Sends the invitations by mail that are due. Those that fail are due again later, until they would expire.
 */
export async function sendInvitations(services: JobServices): Promise<void> {
  for (;;) {
    const token = drawToken()
    const leased = await leaseInvitation(services.db, token)
    if (!leased) return
    const item = { id: leased.id, send: () => attempt(services, leased, token) }
    // A fault is logged with the id only.
    await forEach(services, 'invitation by mail', [item], ({ send }) => send())
  }
}

/** Returns the milliseconds until an invitation is due, or undefined if none is. */
export async function nextInvitationInMs({ db }: JobServices): Promise<number | undefined> {
  const { rows } = await sql<{ ms: number }>`
    select ceil(extract(epoch from next_attempt_at - market.now()) * 1000)::float8 as ms
    from market.email_invitations where next_attempt_at is not null order by next_attempt_at limit 1`.execute(db)
  return rows[0]?.ms
}

// The token is stored, as a hash, before the mail is sent. It replaces the token of an earlier attempt.
async function leaseInvitation(db: Db, token: string): Promise<LeasedInvitation | undefined> {
  const { rows } = await sql<LeasedInvitation>`
    update market.email_invitations invited
    set token_hash = ${hashSecret(token)}, attempts = invited.attempts + 1,
      next_attempt_at = market.now() + make_interval(secs => ${FIRST_RETRY_SECONDS} * power(${RETRY_FACTOR}::int, invited.attempts))
    from market.orgs org
    where org.id = invited.org_id and invited.id = (
      select id from market.email_invitations where next_attempt_at <= market.now()
      order by next_attempt_at limit 1 for update skip locked)
    returning invited.id, invited.address_hash, invited.sealed_address, org.slug, invited.attempts, invited.expires_at,
      invited.expires_at <= market.now() as is_over`.execute(db)
  return rows[0]
}

async function attempt({ db, settings }: JobServices, leased: LeasedInvitation, token: string): Promise<void> {
  const refuses = await inTransaction(db, 'read only', (tx) => refusesInvitations(tx, leased.address_hash))
  const outcome = refuses ? 'refused' : await outcomeOf(settings, leased, token)
  if (outcome === 'failed') return
  await db
    .updateTable('market.email_invitations')
    .set({ next_attempt_at: null })
    .where('id', '=', leased.id)
    .where('attempts', '=', leased.attempts)
    .execute()
}

async function outcomeOf(
  settings: Pick<Settings, 'baseUrl' | 'mail' | 'secretKey' | 'signingKey'>,
  leased: LeasedInvitation,
  token: string,
): Promise<MailOutcome> {
  if (!settings.mail || leased.is_over) return 'refused'
  return deliverMail(settings.mail, invitationMail(settings, leased, token))
}

// Of the org only the slug is in the mail: letters, digits and hyphens. A name could hold whatever its author
// wants a stranger to read, or a link that a mail program makes of it.
function invitationMail(
  settings: Pick<Settings, 'baseUrl' | 'secretKey' | 'signingKey'>,
  { id, address_hash, sealed_address, slug, attempts, expires_at }: LeasedInvitation,
  token: string,
): Mail {
  const refusal = mailLink(settings, 'no-invitations', refusalToken(settings, address_hash))
  const text = `The org "${slug}" at ${settings.baseUrl} invites you to work with it.

See who invites you, and join or decline. The link works once, until ${expires_at.toISOString().slice(0, 10)}:
${invitationLink(settings, token)}

You get no other mail about this invitation. No invitations from anybody there any more:
${refusal}
`
  return {
    to: openAddress(settings, id, sealed_address),
    subject: `Invitation to the org "${slug}"`,
    text,
    // RFC 8058: a mail client posts to the link when its user says so.
    headers: { 'List-Unsubscribe': `<${refusal}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
    id: `${id}.${attempts}`,
  }
}
