import { z } from '@hono/zod-openapi'
import { groundProblems } from '../../errors.ts'
import { defineRoute } from '../../platform/http/route/route.ts'
import { nameText, pageQuery, timestampText, urnObject, urnParam } from '../../platform/http/route/schemas.ts'
import { passkeyProblems } from './problems.ts'

const NAME_CHARACTERS = 100
const EMAIL_CHARACTERS = 254
const CREDENTIAL_ID_CHARACTERS = 1_364
const PART_CHARACTERS = 16_384

const manage = { scope: 'manage', as: 'human' } as const
const params = z.object({ urn: urnParam('passkey') })
const base64url = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[A-Za-z0-9_-]+$/, 'must be base64url without padding')
const identified = {
  id: base64url(CREDENTIAL_ID_CHARACTERS),
  rawId: base64url(CREDENTIAL_ID_CHARACTERS),
  type: z.literal('public-key'),
  clientExtensionResults: z.looseObject({}).optional(),
  authenticatorAttachment: z.string().max(32).nullable().optional(),
}

/**
 * The result of `PublicKeyCredential.toJSON()` in a browser after `navigator.credentials.create()` (WebAuthn
 * 3, 5.1).
 */
export const newCredential = z
  .object({
    ...identified,
    response: z.object({
      clientDataJSON: base64url(PART_CHARACTERS),
      attestationObject: base64url(PART_CHARACTERS),
      transports: z.array(z.string().max(32)).max(10).default([]),
    }),
  })
  .openapi('NewPasskeyCredential')

/** The result of `toJSON()` after `navigator.credentials.get()`. */
export const assertedCredential = z
  .object({
    ...identified,
    response: z.object({
      clientDataJSON: base64url(PART_CHARACTERS),
      authenticatorData: base64url(PART_CHARACTERS),
      signature: base64url(PART_CHARACTERS),
      userHandle: base64url(PART_CHARACTERS).or(z.literal('')).nullable().optional(),
    }),
  })
  .openapi('PasskeyAssertion')

const knownCredential = z.object({ type: z.literal('public-key'), id: z.string(), transports: z.array(z.string()) })
const creationOptions = z
  .object({
    rp: z.object({ id: z.string(), name: z.string() }),
    user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
    challenge: z.string(),
    pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.int() })),
    timeout: z.int(),
    excludeCredentials: z.array(knownCredential),
    authenticatorSelection: z.object({
      residentKey: z.literal('required'),
      requireResidentKey: z.literal(true),
      userVerification: z.literal('required'),
    }),
    attestation: z.literal('none'),
  })
  .openapi('PasskeyCreationOptions')
const requestOptions = z
  .object({
    challenge: z.string(),
    timeout: z.int(),
    rpId: z.string(),
    allowCredentials: z.array(knownCredential),
    userVerification: z.literal('required'),
  })
  .openapi('PasskeyRequestOptions')

const passkey = z
  .object({
    urn: urnObject('passkey'),
    name: z.string(),
    transports: z.array(z.string()),
    is_backed_up: z.boolean().openapi({ description: 'Whether it is synchronised between devices.' }),
    created_at: timestampText,
    last_used_at: timestampText.nullable(),
    flagged_at: timestampText.nullable().openapi({
      description: 'Its signature counter went back then, so there may be a copy. It no longer signs anybody in.',
    }),
  })
  .openapi('Passkey')

const name = nameText(NAME_CHARACTERS).default('Passkey')
const creation = {
  description: 'Options for navigator.credentials.create(), by PublicKeyCredential.parseCreationOptionsFromJSON().',
  schema: creationOptions,
}
const signedIn = {
  // The session's secret is in a header.
  isSecret: true,
  schema: z.object({ urn: urnObject('session'), human_urn: urnObject('human'), expires_at: timestampText }),
  headers: { 'Set-Cookie': 'The session: HttpOnly, SameSite=Strict, and Secure off loopback.' },
} as const
const refusals = [
  passkeyProblems.challengeInvalid,
  passkeyProblems.registrationRefused,
  passkeyProblems.alreadyRegistered,
] as const

export const offerSignUp = defineRoute({
  operationId: 'offerSignUp',
  method: 'post',
  path: '/v1/me/passkeys/sign_up/options',
  group: { name: 'passkeys', about: 'How humans are let in, in a browser.' },
  summary: 'Begin to sign up as a human, with a passkey',
  access: 'public',
  body: z.object({ display_name: nameText(NAME_CHARACTERS), email: z.email().max(EMAIL_CHARACTERS) }),
  answers: { 200: creation },
})

export const signUp = defineRoute({
  operationId: 'signUp',
  method: 'post',
  path: '/v1/me/passkeys/sign_up/verify',
  summary: 'Sign up with the passkey that was made: creates the human and begins a session',
  access: 'public',
  credentialMember: 'credential',
  beginsSession: true,
  body: z.object({ credential: newCredential, name }),
  answers: { 201: { description: 'The human exists, and is signed in.', ...signedIn } },
  problems: [...refusals, groundProblems.originRefused],
})

export const offerRegistration = defineRoute({
  operationId: 'offerRegistration',
  method: 'post',
  path: '/v1/me/passkeys/registration/options',
  summary: 'Begin to add a passkey to your account; a second one takes a fresh assertion of one you have',
  access: manage,
  answers: { 200: creation },
  problems: [groundProblems.reAuthRequired],
})

export const registerPasskey = defineRoute({
  operationId: 'registerPasskey',
  method: 'post',
  path: '/v1/me/passkeys/registration/verify',
  summary: 'Add the passkey that was made',
  access: manage,
  body: z.object({ credential: newCredential, name }),
  answers: { 201: { description: 'The passkey.', schema: passkey } },
  problems: [...refusals, groundProblems.reAuthRequired],
})

export const offerAssertion = defineRoute({
  operationId: 'offerAssertion',
  method: 'post',
  path: '/v1/me/passkeys/assertion/options',
  summary: 'Begin to sign in, or to make a session fresh for what needs it',
  access: 'public',
  answers: {
    200: {
      description: 'Options for navigator.credentials.get(), by PublicKeyCredential.parseRequestOptionsFromJSON().',
      schema: requestOptions,
    },
  },
})

export const signIn = defineRoute({
  operationId: 'signIn',
  method: 'post',
  path: '/v1/me/passkeys/assertion/verify',
  summary: 'Sign in with a passkey: begins a session, and ends the one that was there',
  access: 'public',
  credentialMember: 'credential',
  beginsSession: true,
  body: z.object({ credential: assertedCredential }),
  answers: { 200: { description: 'You are signed in.', ...signedIn } },
  problems: [passkeyProblems.challengeInvalid, passkeyProblems.assertionRefused, groundProblems.originRefused],
})

export const listPasskeys = defineRoute({
  operationId: 'listPasskeys',
  method: 'get',
  path: '/v1/me/passkeys',
  summary: 'List your passkeys, newest first',
  access: { scope: 'read', as: 'human' },
  query: z.object(pageQuery()),
  answers: {
    200: {
      description: 'A page of passkeys.',
      schema: z.object({ passkeys: z.array(passkey), next_cursor: z.string().nullable() }),
    },
  },
})

export const renamePasskey = defineRoute({
  operationId: 'renamePasskey',
  method: 'patch',
  path: '/v1/me/passkeys/{urn}',
  summary: 'Give a passkey another name',
  access: manage,
  params,
  body: z.object({ name: nameText(NAME_CHARACTERS) }),
  answers: { 200: { description: 'The passkey.', schema: passkey } },
})

export const removePasskey = defineRoute({
  operationId: 'removePasskey',
  method: 'delete',
  path: '/v1/me/passkeys/{urn}',
  summary: 'Remove a passkey and end the sessions it began; the last one stays',
  access: { ...manage, reAuth: true },
  params,
  answers: { 204: { description: 'It is good no more.' } },
  problems: [passkeyProblems.lastOne],
})
