import type { ProblemTypes } from '../../errors.ts'

export const keyProblems = {
  missing: { name: 'keys/missing', status: 422, title: 'A party has published no keys' },
  walletRequired: { name: 'keys/wallet-required', status: 422, title: "The wallet is not verified as the owner's" },
  stale: { name: 'keys/stale', status: 422, title: 'The statement of the keys is too old, or not newer than the last' },
  weak: { name: 'keys/weak', status: 422, title: 'The signing key is not safe' },
} as const satisfies ProblemTypes
