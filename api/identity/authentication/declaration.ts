import type { ProblemTypes } from '../../errors.ts'

const MINUTE = 60

export const authenticationProblems = {
  'auth/unauthenticated': { status: 401, title: 'A valid bearer token is required' },
  'auth/scope-insufficient': { status: 403, title: 'The token lacks a scope' },
  'auth/forbidden': { status: 403, title: 'This account may not do this' },
  'auth/origin-refused': { status: 403, title: 'The request comes from another site' },
  re_auth_required: { status: 403, title: 'A fresh passkey assertion is required' },
} as const satisfies ProblemTypes

export const authenticationRules = {
  /** How long the passkey sign-in of a session counts as fresh. */
  freshPasskeySeconds: 5 * MINUTE,
}
