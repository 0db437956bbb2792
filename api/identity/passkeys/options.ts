import { parse as parseUuid } from 'uuid'
import type { Settings } from '../../context.ts'
import type { Tx } from '../../platform/db/pool.ts'
import { type Ceremony, openChallenge } from './challenges.ts'
import { ALGORITHMS } from './webauthn.ts'

const SERVICE_NAME = 'Market'

/** The human a new passkey is for, as an authenticator displays them. */
interface User {
  humanId: string
  displayName: string
  email: string
}

/**
 * Returns options to create a passkey (WebAuthn 3, 5.4). It is discoverable, so signing in needs no user name, and it
 * verifies the user.
 */
export async function creationOptions(
  tx: Tx,
  settings: Pick<Settings, 'rules' | 'web'>,
  ceremony: Ceremony,
  user: User,
) {
  const known = await tx
    .selectFrom('market.passkeys')
    .select(['credential_id', 'transports'])
    .where('human_id', '=', user.humanId)
    // A passkey that may have been copied can be replaced on the same device.
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

/** Returns options to sign in (WebAuthn 3, 5.5). They list no passkeys, so they do not reveal who has any. */
export async function requestOptions(tx: Tx, settings: Pick<Settings, 'rules' | 'web'>) {
  return {
    challenge: await openChallenge(tx, settings, { purpose: 'sign_in' }),
    timeout: settings.rules.passkeyChallengeSeconds * 1_000,
    rpId: settings.web.rpId,
    allowCredentials: [],
    userVerification: 'required' as const,
  }
}

/** Returns the user handle an authenticator stores for a human: the bytes of their id, and nothing personal. */
export function userHandle(humanId: string): string {
  return Buffer.from(parseUuid(humanId)).toString('base64url')
}
