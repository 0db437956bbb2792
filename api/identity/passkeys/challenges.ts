import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { parse as parseUuid } from 'uuid'
import type { Settings } from '../../context.ts'
import { Problem } from '../../errors.ts'
import type { Db, Tx } from '../../platform/db/pool.ts'
import { ALGORITHMS } from './internal/webauthn.ts'
import { passkeyProblems } from './problems.ts'

const CHALLENGE_BYTES = 32

/** A person who is signing up, before they have an account. */
export interface Profile {
  displayName: string
  email: string
}

/** The purpose of a challenge. Only the human it was issued for can answer it, and only for that purpose. */
export type Ceremony =
  | { purpose: 'sign_up'; humanId: string; profile: Profile }
  | { purpose: 'register' | 'enrol'; humanId: string }
  | { purpose: 'sign_in' }

/** A challenge that can still be answered. */
export interface OpenChallenge {
  challenge: Buffer
  human_id: string | null
  profile: Profile | null
}

/**
 * Creates and returns a challenge (WebAuthn 3, 13.4.3): random, valid once, for
 * rules.passkeyChallengeSeconds.
 */
export async function openChallenge(tx: Tx, { rules }: Pick<Settings, 'rules'>, ceremony: Ceremony): Promise<string> {
  const challenge = randomBytes(CHALLENGE_BYTES)
  await tx
    .insertInto('market.passkey_challenges')
    .values({
      challenge,
      purpose: ceremony.purpose,
      human_id: 'humanId' in ceremony ? ceremony.humanId : null,
      profile: 'profile' in ceremony ? JSON.stringify(ceremony.profile) : null,
      expires_at: sql<Date>`market.now() + make_interval(secs => ${rules.passkeyChallengeSeconds})`,
    })
    .execute()
  return challenge.toString('base64url')
}

/**
 * Returns the challenge that a response names. Throws passkeys/challenge-invalid if it is not open, or has
 * another purpose.
 */
export async function findChallenge(
  db: Db,
  purpose: Ceremony['purpose'],
  clientDataJson: string,
  humanId?: string,
): Promise<OpenChallenge> {
  let query = db
    .selectFrom('market.passkey_challenges')
    .select(['challenge', 'human_id', 'profile'])
    .where('challenge', '=', namedIn(clientDataJson))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', sql<Date>`market.now()`)
  if (humanId !== undefined) query = query.where('human_id', '=', humanId)
  return query.executeTakeFirstOrThrow(notOpen)
}

/**
 * Deletes the challenge that a response names, and returns it: of concurrent responses, only one gets it.
 * Throws passkeys/challenge-invalid as findChallenge does.
 */
export async function takeChallenge(
  db: Db,
  purpose: Ceremony['purpose'],
  clientDataJson: string,
): Promise<OpenChallenge> {
  return db
    .deleteFrom('market.passkey_challenges')
    .where('challenge', '=', namedIn(clientDataJson))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', sql<Date>`market.now()`)
    .returning(['challenge', 'human_id', 'profile'])
    .executeTakeFirstOrThrow(notOpen)
}

/** Deletes a challenge. Throws passkeys/challenge-invalid if another response used it first. */
export async function useChallenge(tx: Tx, { challenge }: OpenChallenge): Promise<void> {
  await tx
    .deleteFrom('market.passkey_challenges')
    .where('challenge', '=', challenge)
    .where('expires_at', '>', sql<Date>`market.now()`)
    .returning('challenge')
    .executeTakeFirstOrThrow(notOpen)
}

// The challenge only locates the record; the signature is verified separately.
function namedIn(clientDataJson: string): Buffer {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJson, 'base64url').toString())
    if (typeof data === 'object' && data !== null && 'challenge' in data && typeof data.challenge === 'string')
      return Buffer.from(data.challenge, 'base64url')
  } catch {
    // Invalid JSON names no challenge.
  }
  throw notOpen()
}

function notOpen(): Problem {
  return new Problem(passkeyProblems.challengeInvalid, {
    detail:
      'No open challenge has this answer. Ask for new options. A challenge is valid once, for a short time, for one account.',
    field: 'credential.response.clientDataJSON',
  })
}

const SERVICE_NAME = 'Market'

/** The human that a new passkey is for, in the form that an authenticator displays. */
interface User {
  humanId: string
  displayName: string
  email: string
}

/**
 * Returns options to create a passkey (WebAuthn 3, 5.4). It is discoverable, so signing in needs no user
 * name, and it verifies the user.
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

/**
 * Returns the user handle an authenticator stores for a human: the bytes of their id, and nothing personal.
 */
export function userHandle(humanId: string): string {
  return Buffer.from(parseUuid(humanId)).toString('base64url')
}
