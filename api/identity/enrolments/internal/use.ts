import { sql } from 'kysely'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import type { Settings } from '../../../context.ts'
import { Problem } from '../../../errors.ts'
import { audit } from '../../../platform/audit/audit.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { hashSecret } from '../../authentication/credential.ts'
import { creationOptions, useChallenge } from '../../passkeys/challenges.ts'
import { keepPasskey, type Registration } from '../../passkeys/register.ts'
import { type NewSession, openSession } from '../../sessions/open.ts'
import { ticketProblems } from '../../tickets/problems.ts'

interface Invited {
  id: string
  display_name: string
  email: string
}

/**
 * Returns options to create the passkey of an enrolment's human. Throws auth/ticket-invalid for an invalid
 * enrolment.
 */
export async function offerEnrolment(tx: Tx, settings: Pick<Settings, 'rules' | 'web'>, enrolment: string) {
  const { id: humanId, display_name: displayName, email } = await findInvited(tx, enrolment)
  return creationOptions(tx, settings, { purpose: 'enrol', humanId }, { humanId, displayName, email })
}

/**
 * Uses an enrolment up for the created passkey, recovers the account and begins a session. Also returns how
 * many tokens are still valid. Throws auth/ticket-invalid for an enrolment that is invalid or belongs to
 * another human; 409 when the challenge or the passkey was used before.
 */
export async function useEnrolment(
  tx: Tx,
  settings: Pick<Settings, 'rules'>,
  { enrolment, name }: { enrolment: string; name: string },
  registration: Registration,
): Promise<NewSession & { liveTokens: number }> {
  const { id: humanId } = await findInvited(tx, enrolment)
  if (registration.challenge.human_id !== humanId) throw invalid()
  await useChallenge(tx, registration.challenge)
  await sql`update market.enrolments set closed_at = market.now()
    where human_id = ${humanId} and closed_at is null`.execute(tx)
  const passkey = await keepPasskey(tx, humanId, registration.key, name)
  const { live_tokens: liveTokens } = await recoverAccount(tx, humanId)
  return {
    ...(await openSession(tx, settings, { humanId, passkeyId: passkey.id, formerSecret: undefined })),
    liveTokens,
  }
}

// Using an enrolment locks the human's row. A concurrent use waits for the lock, and its next statement sees
// the enrolment closed.
async function findInvited(tx: Tx, enrolment: string): Promise<Invited> {
  const { rows } = await sql<Invited>`
    select human.id, human.display_name, human.email
    from market.enrolments given join market.humans human on human.id = given.human_id
    where given.secret_hash = ${hashSecret(enrolment)} and given.closed_at is null and given.expires_at > market.now()
      and human.erased_at is null
      and not exists (select from market.passkeys good where good.human_id = human.id and good.flagged_at is null)
    for no key update of human, given`.execute(tx)
  const [human] = rows
  if (human) return human
  throw invalid()
}

function invalid(): Problem {
  return new Problem(ticketProblems.ticketInvalid, {
    detail: 'This link is invalid, expired or already used. Ask whoever gave it to you for another.',
    field: 'enrolment',
  })
}

/** The things that recovering an account ended, and the number of tokens that are still valid. */
interface Recovery {
  sessions: number
  tickets: number
  wallet_changes: number
  live_tokens: number
}

/**
 * Ends everything that a person with a copy of a lost passkey may have begun and could continue without it:
 * sessions, unused tickets, and payout wallet changes that have not taken effect. Tokens stay valid, because
 * working agents hold them; the returned count lets the owner review them. The human must be locked.
 */
async function recoverAccount(tx: Tx, humanId: string): Promise<Recovery> {
  const { rows } = await sql<Recovery>`
    with session as (update market.sessions set revoked_at = market.now()
        where human_id = ${humanId} and revoked_at is null returning id),
      ticket as (update market.agent_tickets set closed_at = market.now()
        where human_id = ${humanId} and closed_at is null returning id),
      wallet as (update market.wallets set payout_from = null
        where owner_id = ${humanId} and payout_from > market.now() returning id)
    select (select count(*)::integer from session) as sessions, (select count(*)::integer from ticket) as tickets,
      (select count(*)::integer from wallet) as wallet_changes,
      (select count(*)::integer from market.tokens where human_id = ${humanId} and revoked_at is null
        and (expires_at is null or expires_at > market.now())) as live_tokens`.execute(tx)
  const [recovery] = rows
  if (!recovery) throw new Error('counting answered no row')
  const human = urnString('human', humanId)
  await audit(tx, { actor: human, action: 'account.recover', subject: human, details: { ...recovery } })
  return recovery
}
