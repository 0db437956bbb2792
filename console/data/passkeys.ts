import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'
import type { CallInput } from '../../sdk/market.ts'
import { isProblem } from '../../sdk/problem.ts'
import { market } from './market.ts'

type NewCredential = CallInput<'signUp'>['body']['credential']
type Assertion = CallInput<'signIn'>['body']['credential']

/** Signs in with a passkey of this device or account. Throws what the browser or the service refuses. */
export async function signIn(): Promise<void> {
  const { body: options } = await market.call('offerAssertion', {})
  const credential = await startAuthentication({
    optionsJSON: options as unknown as PublicKeyCredentialRequestOptionsJSON,
  })
  await market.call('signIn', { body: { credential: credential as unknown as Assertion } })
}

/** Creates an account with a new passkey, and signs in. */
export async function signUp(person: { display_name: string; email: string }): Promise<void> {
  const { body: options } = await market.call('offerSignUp', { body: person })
  await market.call('signUp', { body: { credential: await create(options) } })
}

/** Makes the first passkey of an account that exists, by the secret of its enrolment link, and signs in. */
export async function enrol(enrolment: string): Promise<void> {
  const { body: options } = await market.call('offerEnrolment', { body: { enrolment } })
  await market.call('enrol', { body: { enrolment, credential: await create(options) } })
}

/** Adds a passkey to the account of the person who is signed in. */
export async function addPasskey(name: string): Promise<void> {
  const { body: options } = await market.call('offerRegistration', {})
  await market.call('registerPasskey', { body: { credential: await create(options), name } })
}

/** Runs a call; where it needs a fresh passkey, asks for it and runs the same call again. */
export async function withFreshPasskey<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call()
  } catch (error) {
    if (!isProblem(error, 'market:error:re_auth_required')) throw error
    await signIn()
    return call()
  }
}

async function create(options: object): Promise<NewCredential> {
  const optionsJSON = options as PublicKeyCredentialCreationOptionsJSON
  return (await startRegistration({ optionsJSON })) as unknown as NewCredential
}
