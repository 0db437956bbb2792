import type { z } from 'zod'
import type { WebSettings } from '../../../context.ts'
import type { assertedCredential, newCredential } from '../routes.ts'

/** The COSE numbers of EdDSA, ES256 and RS256, which authenticators support. */
export const ALGORITHMS = [-8, -7, -257]

/** A key that an authenticator created. */
export interface NewKey {
  credentialId: Buffer
  publicKey: Buffer
  counter: bigint
  transports: string[]
  isBackedUp: boolean
}

/** The stored key that must have signed. */
export interface KnownKey {
  credential_id: Buffer
  public_key: Buffer
}

// Loaded on first use: loading takes 200 ms, and most processes never verify a passkey.
const verification = () => import('@simplewebauthn/server')
const decoding = () => import('@simplewebauthn/server/helpers')

/**
 * Verifies an authenticator's response to a creation challenge (WebAuthn 3, 7.1): our challenge, origin and
 * RP ID, with the user verified. Returns the new key. Throws an Error that names the failed check.
 */
export async function verifyNewKey(
  { rpId, origins }: WebSettings,
  challenge: Buffer,
  credential: z.output<typeof newCredential>,
): Promise<NewKey> {
  const { clientDataJSON, attestationObject, transports } = credential.response
  refuseEmbedded(clientDataJSON)
  await refuseCertificates(attestationObject)
  const { verifyRegistrationResponse } = await verification()
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: { ...identityOf(credential), response: { clientDataJSON, attestationObject } },
    expectedChallenge: challenge.toString('base64url'),
    expectedOrigin: [...origins],
    expectedRPID: rpId,
    requireUserVerification: true,
    supportedAlgorithmIDs: ALGORITHMS,
  })
  if (!verified) throw new Error('its attestation is wrong')
  const { id, publicKey, counter } = registrationInfo.credential
  return {
    credentialId: Buffer.from(id, 'base64url'),
    publicKey: Buffer.from(publicKey),
    counter: BigInt(counter),
    transports,
    isBackedUp: registrationInfo.credentialBackedUp,
  }
}

/**
 * Verifies that a key signed a challenge (WebAuthn 3, 7.2), with the user verified. Returns the signature
 * counter, which the caller must check. Throws an Error that names the failed check.
 */
export async function verifyAssertion(
  { rpId, origins }: WebSettings,
  challenge: Buffer,
  credential: z.output<typeof assertedCredential>,
  key: KnownKey,
): Promise<bigint> {
  const { clientDataJSON, authenticatorData, signature } = credential.response
  refuseEmbedded(clientDataJSON)
  const { verifyAuthenticationResponse } = await verification()
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: { ...identityOf(credential), response: { clientDataJSON, authenticatorData, signature } },
    expectedChallenge: challenge.toString('base64url'),
    expectedOrigin: [...origins],
    expectedRPID: rpId,
    requireUserVerification: true,
    credential: { id: credential.id, publicKey: new Uint8Array(key.public_key), counter: 0 },
  })
  if (!verified) throw new Error('its signature is wrong')
  return BigInt(authenticationInfo.newCounter)
}

function identityOf({ id, rawId, type }: { id: string; rawId: string; type: 'public-key' }) {
  return { id, rawId, type, clientExtensionResults: {} }
}

// The library accepts a page embedded in another site if the browser does not name that site.
function refuseEmbedded(clientDataJson: string): void {
  const { crossOrigin } = JSON.parse(Buffer.from(clientDataJson, 'base64url').toString())
  if (crossOrigin) throw new Error('it was made in a frame of another site')
}

// No certificate was requested, and to check one the library would fetch any address that it names.
async function refuseCertificates(attestationObject: string): Promise<void> {
  const { decodeAttestationObject } = await decoding()
  const attestation = decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url')))
  const format = attestation.get('fmt')
  if (format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined)) return
  throw new Error('it comes with an attestation that was not asked for')
}
