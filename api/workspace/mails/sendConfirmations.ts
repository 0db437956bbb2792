import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Settings } from '../../context.ts'
import { addressHash } from '../../identity/accounts/addressHash.ts'
import { hashSecret } from '../../identity/authentication/credential.ts'
import type { Db } from '../../platform/db/pool.ts'
import { forEach } from '../../platform/jobs/each.ts'
import type { JobServices } from '../../platform/jobs/services.ts'
import { deliverMail, type Mail, type MailOutcome, mailLink } from './deliver.ts'

const TOKEN_BYTES = 32
const FIRST_RETRY_SECONDS = 60
const RETRY_FACTOR = 4

interface LeasedConfirmation {
  id: string
  address_hash: Buffer
  email: string
  attempts: number
  is_over: boolean
}

/** Sends the confirmations that are due. Those that fail are due again later, until the link would expire. */
export async function sendEmailConfirmations(services: JobServices): Promise<void> {
  for (;;) {
    const token = randomBytes(TOKEN_BYTES).toString('base64url')
    const leased = await leaseConfirmation(services.db, token)
    if (!leased) return
    const item = { id: leased.id, send: () => attempt(services, leased, token) }
    // A fault is logged with the id only.
    await forEach(services, 'email confirmation', [item], ({ send }) => send())
  }
}

/** Returns the milliseconds until a confirmation is due, or undefined if none is. */
export async function nextConfirmationInMs({ db }: JobServices): Promise<number | undefined> {
  const { rows } = await sql<{ ms: number }>`
    select ceil(extract(epoch from next_attempt_at - market.now()) * 1000)::float8 as ms
    from market.email_confirmations where next_attempt_at is not null order by next_attempt_at limit 1`.execute(db)
  return rows[0]?.ms
}

// The token is stored, as a hash, before the mail is sent. It replaces the token of an earlier attempt.
async function leaseConfirmation(db: Db, token: string): Promise<LeasedConfirmation | undefined> {
  const { rows } = await sql<LeasedConfirmation>`
    update market.email_confirmations asked
    set token_hash = ${hashSecret(token)}, attempts = asked.attempts + 1,
      next_attempt_at = market.now() + make_interval(secs => ${FIRST_RETRY_SECONDS} * power(${RETRY_FACTOR}::int, asked.attempts))
    from market.humans human
    where human.id = asked.human_id and asked.id = (
      select id from market.email_confirmations where next_attempt_at <= market.now()
      order by next_attempt_at limit 1 for update skip locked)
    returning asked.id, asked.address_hash, asked.attempts, human.email, asked.expires_at <= market.now() as is_over`.execute(
    db,
  )
  return rows[0]
}

async function attempt({ db, settings }: JobServices, leased: LeasedConfirmation, token: string): Promise<void> {
  const outcome = await outcomeOf(settings, leased, token)
  if (outcome === 'failed') return
  await db
    .updateTable('market.email_confirmations')
    .set({ next_attempt_at: null })
    .where('id', '=', leased.id)
    .where('attempts', '=', leased.attempts)
    .execute()
}

async function outcomeOf(
  settings: Pick<Settings, 'baseUrl' | 'mail' | 'secretKey'>,
  leased: LeasedConfirmation,
  token: string,
): Promise<MailOutcome> {
  // A person who changed their address, or was erased, asked for no mail to this one.
  const isSame = addressHash(settings, leased.email).equals(leased.address_hash)
  if (!settings.mail || leased.is_over || !isSame) return 'refused'
  return deliverMail(settings.mail, confirmationMail(settings, leased, token))
}

function confirmationMail(
  settings: Pick<Settings, 'baseUrl'>,
  { id, email, attempts }: LeasedConfirmation,
  token: string,
): Mail {
  const link = mailLink(settings, 'confirm', token)
  const text = `Somebody who has an account with this address at ${settings.baseUrl} asks for notifications by mail.

If it was you, confirm your address within a day:
${link}

Otherwise ignore this mail: you get no others.
`
  return { to: email, subject: 'Confirm your e-mail address', text, id: `${id}.${attempts}` }
}
