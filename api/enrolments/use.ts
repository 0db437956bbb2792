import { sql } from 'kysely'
import type { Settings } from '../context.ts'
import type { Tx } from '../db/pool.ts'
import { Problem } from '../errors.ts'
import { hashSecret } from '../http/credential.ts'
import { creationOptions } from '../passkeys/options.ts'
import { keepPasskey, type Registration } from '../passkeys/register.ts'
import { type NewSession, openSession } from '../sessions/open.ts'
import { recoverAccount } from './recover.ts'

interface Invited {
  id: string
  display_name: string
  email: string
}

/** Options for the passkey of whom an enrolment is for. Throws auth/ticket-invalid for one that is good for nothing. */
export async function offerEnrolment(tx: Tx, settings: Settings, enrolment: string) {
  const { id: humanId, display_name: displayName, email } = await findInvited(tx, enrolment)
  return creationOptions(tx, settings, { purpose: 'enrol', humanId }, { humanId, displayName, email })
}

/**
 * Uses an enrolment up for the passkey that was made, ends what whoever had a lost one may have begun, and begins a
 * session. Answers how many tokens are alive besides. Throws
 * auth/ticket-invalid for an enrolment that is good for nothing, or for another human; 409 when the challenge or the
 * passkey was used before.
 */
export async function useEnrolment(
  tx: Tx,
  settings: Settings,
  { enrolment, name }: { enrolment: string; name: string },
  registration: Registration,
): Promise<NewSession & { liveTokens: number }> {
  const { id: humanId } = await findInvited(tx, enrolment)
  if (registration.challenge.human_id !== humanId) throw invalid()
  await sql`update market.enrolments set closed_at = market.now()
    where human_id = ${humanId} and closed_at is null`.execute(tx)
  const passkey = await keepPasskey(tx, humanId, registration, name)
  const { live_tokens: liveTokens } = await recoverAccount(tx, humanId)
  return {
    ...(await openSession(tx, settings, { humanId, passkeyId: passkey.id, formerSecret: undefined })),
    liveTokens,
  }
}

// Whoever uses one up holds the human's row, and whoever waits for it sees it closed: their statement looks anew.
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
  return new Problem('auth/ticket-invalid', {
    detail: 'This is no enrolment, or it was used or replaced, or it is too old. Ask who gave it to you for another.',
    field: 'enrolment',
  })
}
