import { v7 as uuidv7 } from 'uuid'
import { createHuman } from '../accounts/createHuman.ts'
import type { Settings } from '../context.ts'
import type { Tx } from '../db/pool.ts'
import { type NewSession, openSession } from '../sessions/open.ts'
import type { Profile } from './challenges.ts'
import { creationOptions } from './options.ts'
import { keepPasskey, type Registration } from './register.ts'

/** Options for the passkey that somebody signs up with. Nothing of them is an account until it is made. */
export async function offerSignUp(tx: Tx, settings: Settings, profile: Profile) {
  const humanId = uuidv7()
  return creationOptions(tx, settings, { purpose: 'sign_up', humanId, profile }, { humanId, ...profile })
}

/** Makes an account for whoever made a passkey, and lets them in. Throws 409 when the challenge or passkey was used before. */
export async function signUp(
  tx: Tx,
  settings: Settings,
  registration: Registration,
  { name, formerSecret }: { name: string; formerSecret: string | undefined },
): Promise<NewSession> {
  const { human_id: id, profile } = registration.challenge
  if (id === null || profile === null) throw new Error('a challenge to sign up says for whom')
  await createHuman(tx, settings.chain, { id, ...profile, role: 'member', createdBy: null })
  const passkey = await keepPasskey(tx, id, registration, name)
  return openSession(tx, settings, { humanId: id, passkeyId: passkey.id, formerSecret })
}
