import { newId } from '../../../../protocol/encoding/ids.ts'
import type { Settings } from '../../../context.ts'
import type { Tx } from '../../../platform/db/pool.ts'
import { createHuman } from '../../accounts/createHuman.ts'
import { type NewSession, openSession } from '../../sessions/open.ts'
import { creationOptions, type Profile, useChallenge } from '../challenges.ts'
import { keepPasskey, type Registration } from '../register.ts'

/** Returns options to create the passkey for a sign-up. The account is created only once the passkey is. */
export async function offerSignUp(tx: Tx, settings: Pick<Settings, 'rules' | 'web'>, profile: Profile) {
  const humanId = newId()
  return creationOptions(tx, settings, { purpose: 'sign_up', humanId, profile }, { humanId, ...profile })
}

/**
 * Creates an account for the holder of a new passkey and begins a session. Throws 409 if the challenge or
 * passkey was used before.
 */
export async function signUp(
  tx: Tx,
  settings: Pick<Settings, 'chain' | 'reactions' | 'rules'>,
  registration: Registration,
  { name, formerSecret }: { name: string; formerSecret: string | undefined },
): Promise<NewSession> {
  const { human_id: id, profile } = registration.challenge
  if (id === null || profile === null) throw new Error('a challenge to sign up says for whom')
  await useChallenge(tx, registration.challenge)
  await createHuman(tx, settings, { id, ...profile, role: 'member', createdBy: null })
  const passkey = await keepPasskey(tx, id, registration.key, name)
  return openSession(tx, settings, { humanId: id, passkeyId: passkey.id, formerSecret })
}
