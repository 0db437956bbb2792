import { sql } from 'kysely'
import type { z } from 'zod'
import { urnString } from '../../../../protocol/encoding/urn.ts'
import type { Settings } from '../../../context.ts'
import { Problem } from '../../../errors.ts'
import type { Db, Tx } from '../../../platform/db/pool.ts'
import type { Services } from '../../../platform/http/serve/services.ts'
import { type NewSession, openSession } from '../../sessions/open.ts'
import { takeChallenge, userHandle } from '../challenges.ts'
import { passkeyProblems } from '../problems.ts'
import type { assertedCredential } from '../routes.ts'
import { verifyAssertion } from './webauthn.ts'

type Asserted = z.output<typeof assertedCredential>

/** A passkey that has signed one of our challenges, and the signature counter it reported. */
export interface Assertion {
  passkeyId: string
  humanId: string
  counter: bigint
}

/**
 * Checks who signed a challenge. Returns the assertion. Throws passkeys/challenge-invalid without an open
 * challenge, and passkeys/assertion-refused if the signature does not verify. A passkey whose counter
 * decreases may have been copied; it is flagged and can no longer be used.
 *
 * The challenge is deleted before the counter is read. Otherwise a response that is sent twice would be
 * compared with the counter that it stored itself, and would look like a copy.
 */
export async function checkAssertion(
  { db, settings }: Pick<Services, 'db' | 'settings'>,
  credential: Asserted,
): Promise<Assertion> {
  const { challenge } = await takeChallenge(db, 'sign_in', credential.response.clientDataJSON)
  const passkey = await db
    .selectFrom('market.passkeys')
    .select(['id', 'human_id', 'credential_id', 'public_key', 'counter', 'flagged_at'])
    .where('credential_id', '=', Buffer.from(credential.id, 'base64url'))
    .executeTakeFirst()
  if (!passkey) throw refused('no account here has it')
  const counter = await verifyAssertion(settings.web, challenge, credential, passkey).catch((error: Error) => {
    throw refused(error.message)
  })
  // Some browsers send an empty string if there is none.
  const handle = credential.response.userHandle
  if (handle && handle !== userHandle(passkey.human_id)) throw refused('it names an account that is not its own')
  if (passkey.flagged_at) throw refused('its counter went back before, so that there may be a copy of it')
  if (!isLater(counter, passkey.counter)) {
    await flag(db, passkey)
    throw refused('its counter went back, so there may be a copy of it: it no longer signs anybody in')
  }
  return { passkeyId: passkey.id, humanId: passkey.human_id, counter }
}

/**
 * Begins a session for the signer and ends the browser's previous one. Throws if the passkey was used
 * meanwhile.
 */
export async function signIn(
  tx: Tx,
  settings: Pick<Settings, 'rules'>,
  { passkeyId, humanId, counter }: Assertion,
  formerSecret: string | undefined,
): Promise<NewSession> {
  await tx
    .updateTable('market.passkeys')
    .set({ counter, last_used_at: sql`market.now()` })
    .where('id', '=', passkeyId)
    .where('flagged_at', 'is', null)
    .where((row) => row.or([row('counter', '<', counter), row.and([row('counter', '=', 0n), row.lit(counter === 0n)])]))
    .returning('id')
    .executeTakeFirstOrThrow(() => refused('it was used or flagged meanwhile'))
  return openSession(tx, settings, { humanId, passkeyId, formerSecret })
}

// Authenticators without a counter always report 0 (WebAuthn 3, 6.1.1).
function isLater(counter: bigint, known: bigint): boolean {
  return counter > known || (counter === 0n && known === 0n)
}

// Runs outside a transaction: the request is refused, and the flag must still be stored.
async function flag(db: Db, { id, human_id }: { id: string; human_id: string }): Promise<void> {
  await sql`
    with flagged as (update market.passkeys set flagged_at = market.now() where id = ${id} and flagged_at is null),
      ended as (update market.sessions set revoked_at = market.now() where passkey_id = ${id} and revoked_at is null)
    insert into market.audit_log (actor, action, subject)
    values (${urnString('human', human_id)}, 'passkey.flag', ${urnString('passkey', id)})`.execute(db)
}

function refused(why: string): Problem {
  return new Problem(passkeyProblems.assertionRefused, {
    detail: `This passkey does not let anybody in: ${why}.`,
    field: 'credential',
  })
}
