import type { ProblemTypes } from '../../errors.ts'

export const passkeyProblems = {
  challengeInvalid: { name: 'passkeys/challenge-invalid', status: 409, title: 'This passkey ceremony is not open' },
  registrationRefused: {
    name: 'passkeys/registration-refused',
    status: 422,
    title: 'The new passkey cannot be accepted',
  },
  assertionRefused: {
    name: 'passkeys/assertion-refused',
    status: 401,
    title: 'The passkey does not prove who you are',
  },
  alreadyRegistered: { name: 'passkeys/already-registered', status: 409, title: 'This passkey is already registered' },
  lastOne: { name: 'passkeys/last-one', status: 409, title: 'The last passkey of an account cannot be removed' },
} as const satisfies ProblemTypes
