import { parse as parseUuid } from 'uuid'
import type { Settings } from '../context.ts'
import type { Tx } from '../db/pool.ts'
import { type Ceremony, openChallenge } from './challenges.ts'
import { ALGORITHMS } from './webauthn.ts'

const SERVICE_NAME = 'Market'

/** Who a new passkey is for, as an authenticator shows them. */
interface User {
  humanId: string
  displayName: string
  email: string
}

/** Options for a new passkey (WebAuthn 3, 5.4): one that is found without a name, and asks who uses it. */
export async function creationOptions(tx: Tx, settings: Settings, ceremony: Ceremony, user: User) {
  const known = await tx
    .selectFrom('market.passkeys')
    .select(['credential_id', 'transports'])
    .where('human_id', '=', user.humanId)
    // What may have been copied is made anew, on the same device too.
    .where('flagged_at', 'is', null)
    .execute()
  return {
    rp: { id: settings.web.rpId, name: SERVICE_NAME },
    user: { id: userHandle(user.humanId), name: user.email, displayName: user.displayName },
    challenge: await openChallenge(tx, settings, ceremony),
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key' as const, alg })),
    timeout: settings.rules.passkeyChallengeSeconds * 1_000,
    excludeCredentials: known.map(({ credential_id, transports }) => ({
      type: 'public-key' as const,
      id: credential_id.toString('base64url'),
      transports,
    })),
    authenticatorSelection: {
      residentKey: 'required' as const,
      requireResidentKey: true as const,
      userVerification: 'required' as const,
    },
    attestation: 'none' as const,
  }
}

/** Options to sign in by (WebAuthn 3, 5.5). They name nobody's passkeys, so that nobody learns who has any. */
export async function requestOptions(tx: Tx, settings: Settings) {
  return {
    challenge: await openChallenge(tx, settings, { purpose: 'sign_in' }),
    timeout: settings.rules.passkeyChallengeSeconds * 1_000,
    rpId: settings.web.rpId,
    allowCredentials: [],
    userVerification: 'required' as const,
  }
}

/** What an authenticator keeps of a human: their id's bytes, and nothing that tells who they are. */
export function userHandle(humanId: string): string {
  return Buffer.from(parseUuid(humanId)).toString('base64url')
}
