import type { z } from 'zod'
import { newId } from '../../../protocol/encoding/ids.ts'
import { urnString } from '../../../protocol/encoding/urn.ts'
import type { CallContext, PublicCall } from '../../context.ts'
import { Problem } from '../../errors.ts'
import { audit } from '../../platform/audit/audit.ts'
import type { Db, Tx } from '../../platform/db/pool.ts'
import type { Services } from '../../platform/http/serve/services.ts'
import { requireFreshPasskey } from '../authentication/freshPasskey.ts'
import { requireNoLimit } from '../tokens/spendLimit.ts'
import { type Ceremony, creationOptions, findChallenge, type OpenChallenge, useChallenge } from './challenges.ts'
import { type PasskeyRow, passkeyColumns } from './internal/list.ts'
import { type NewKey, verifyNewKey } from './internal/webauthn.ts'
import { passkeyProblems } from './problems.ts'
import type { newCredential } from './routes.ts'

/** A key that was created in response to one of our challenges. */
export interface Registration {
  challenge: OpenChallenge
  key: NewKey
}

/**
 * Returns options to create a further passkey for the caller. Throws re_auth_required if they have a passkey
 * and its sign-in is not fresh.
 */
export async function offerRegistration(tx: Tx, call: CallContext) {
  const { humanId } = call.actor
  await requireMayAdd(tx, call)
  const human = await tx
    .selectFrom('market.humans')
    .select(['display_name', 'email'])
    .where('id', '=', humanId)
    .executeTakeFirstOrThrow()
  const user = { humanId, displayName: human.display_name, email: human.email }
  return creationOptions(tx, call.settings, { purpose: 'register', humanId }, user)
}

/**
 * Checks what an authenticator created. Throws passkeys/challenge-invalid without an open challenge for this
 * purpose and human; passkeys/registration-refused for a response that does not verify: the challenge then
 * stays open.
 */
export async function checkRegistration(
  { db, settings }: Pick<Services, 'db' | 'settings'>,
  { purpose, humanId }: { purpose: Ceremony['purpose']; humanId?: string },
  credential: z.output<typeof newCredential>,
): Promise<Registration> {
  const challenge = await findChallenge(db, purpose, credential.response.clientDataJSON, humanId)
  const key = await verifyNewKey(settings.web, challenge.challenge, credential).catch((error: Error) => {
    throw new Problem(passkeyProblems.registrationRefused, {
      detail: `The authenticator's answer is not accepted: ${error.message}.`,
      field: 'credential',
    })
  })
  return { challenge, key }
}

/**
 * Adds a passkey to the caller's account. Throws 409 if its challenge or the passkey itself was used before.
 */
export async function registerPasskey(
  tx: Tx,
  call: CallContext,
  registration: Registration,
  name: string,
): Promise<PasskeyRow> {
  await useChallenge(tx, registration.challenge)
  await requireMayAdd(tx, call)
  return keepPasskey(tx, call.actor.humanId, registration.key, name)
}

/**
 * Stores a passkey of a human after its challenge was used. Throws 409 if the passkey was registered before.
 */
export async function keepPasskey(tx: Tx, humanId: string, key: NewKey, name: string): Promise<PasskeyRow> {
  const passkey = await tx
    .insertInto('market.passkeys')
    .values({
      id: newId(),
      human_id: humanId,
      credential_id: key.credentialId,
      public_key: key.publicKey,
      counter: key.counter,
      transports: key.transports,
      name,
      is_backed_up: key.isBackedUp,
    })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returning(passkeyColumns)
    .executeTakeFirstOrThrow(
      () =>
        new Problem(passkeyProblems.alreadyRegistered, {
          detail: 'This passkey is already registered.',
          field: 'credential.id',
        }),
    )
  const actor = urnString('human', humanId)
  await audit(tx, { actor, action: 'passkey.register', subject: urnString('passkey', passkey.id) })
  return passkey
}

// The first passkey needs only a token with the scope `manage`, because there is no passkey to sign in with
// yet.
async function requireMayAdd(tx: Tx | Db, call: PublicCall & Pick<CallContext, 'actor'>): Promise<void> {
  const one = await tx
    .selectFrom('market.passkeys')
    .select('id')
    .where('human_id', '=', call.actor.humanId)
    .limit(1)
    .executeTakeFirst()
  if (one) requireFreshPasskey(call, { act: 'Adding a passkey' })
  // A passkey begins sessions, and sessions have no spend limit.
  await requireNoLimit(tx, call.actor, 'adds no passkey')
}
