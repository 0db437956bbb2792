import { sql } from 'kysely'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import type { Actor, Settings } from '../../../context.ts'
import { notFound, Problem } from '../../../errors.ts'
import { addressHash } from '../../../identity/accounts/addressHash.ts'
import { hashSecret } from '../../../identity/authentication/credential.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { httpProblems } from '../../../platform/http/serve/problems.ts'
import { mailProblems } from '../problems.ts'

/** How long a link confirms, and how long a confirmation counts towards the limit. */
export const CONFIRMATION_SECONDS = 86_400
// For a person, and for an address, because anybody can sign up with the address of somebody else.
const MAX_DAILY = 3

/** Returns the caller's e-mail address, and whether mails go there. */
export async function readEmail(tx: Tx, { humanId }: Pick<Actor, 'humanId'>) {
  const { email, confirmed_email } = await tx
    .selectFrom('market.humans')
    .select(['email', 'confirmed_email'])
    .where('id', '=', humanId)
    .executeTakeFirstOrThrow()
  return { email, is_confirmed: confirmed_email === email }
}

/**
 * Sends a link to the caller's address that confirms it. Throws mails/not-needed if the address is confirmed
 * or no mail is sent, and request/rate-limited after three within a day, of the caller or to the address.
 */
export async function askConfirmation(
  tx: Tx,
  settings: Pick<Settings, 'mail' | 'secretKey'>,
  actor: Pick<Actor, 'humanId'>,
) {
  const { email, is_confirmed } = await readEmail(tx, actor)
  if (is_confirmed) throw notNeeded('Your address is confirmed already.')
  if (!settings.mail) throw notNeeded('This market sends no mail: it has no mail server.')
  const address = addressHash(settings, email)
  await refuseMany(tx, actor.humanId, address)
  const { expires_at } = await tx
    .insertInto('market.email_confirmations')
    .values({
      human_id: actor.humanId,
      address_hash: address,
      expires_at: sql<Date>`market.now() + make_interval(secs => ${CONFIRMATION_SECONDS})`,
    })
    .returning('expires_at')
    .executeTakeFirstOrThrow()
  return { email, expires_at: expires_at.toISOString() }
}

/**
 * Confirms the address that the link with this token was sent to. Throws the uniform 404 for any other token.
 */
export async function confirmEmail(tx: Tx, settings: Pick<Settings, 'secretKey'>, token: string): Promise<void> {
  const used = await tx
    .updateTable('market.email_confirmations')
    .set({ token_hash: null, next_attempt_at: null })
    .where('token_hash', '=', hashSecret(token))
    .where('expires_at', '>', sql<Date>`market.now()`)
    .returning(['human_id', 'address_hash'])
    .executeTakeFirstOrThrow(() => notFound('link'))
  const human = await tx
    .selectFrom('market.humans')
    .select('email')
    .where('id', '=', used.human_id)
    .where('erased_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(() => notFound('link'))
  if (!addressHash(settings, human.email).equals(used.address_hash)) throw notFound('link')
  await tx
    .updateTable('market.humans')
    .set({ confirmed_email: human.email })
    .where('id', '=', used.human_id)
    .returning('id')
    .executeTakeFirstOrThrow()
  const person = urnString('human', used.human_id)
  await audit(tx, { actor: person, action: 'email.confirm', subject: person })
}

// Concurrent calls count each other's confirmations.
async function refuseMany(tx: Tx, humanId: string, address: Buffer): Promise<void> {
  for (const subject of [humanId, address.toString('hex')])
    await sql`select pg_advisory_xact_lock(hashtextextended(${`email confirmations ${subject}`}, 0))`.execute(tx)
  const { rows } = await sql<{ seconds: number | null }>`
    select greatest(ceil(extract(epoch from max(nth.created_at) - market.now()))::int + ${CONFIRMATION_SECONDS}, 1) as seconds
    from (
      (select created_at from market.email_confirmations where human_id = ${humanId} order by created_at desc
       offset ${MAX_DAILY - 1} limit 1)
      union all
      (select created_at from market.email_confirmations where address_hash = ${address} order by created_at desc
       offset ${MAX_DAILY - 1} limit 1)) nth
    where nth.created_at > market.now() - make_interval(secs => ${CONFIRMATION_SECONDS})
    having count(*) > 0`.execute(tx)
  const seconds = rows[0]?.seconds
  if (!seconds) return
  throw new Problem(httpProblems.rateLimited, {
    detail: `A person, and an address, get ${MAX_DAILY} confirmations a day. Look for the mail, also among unwanted mail.`,
    retryAfterSeconds: seconds,
  })
}

function notNeeded(detail: string): Problem {
  return new Problem(mailProblems.notNeeded, { detail })
}
