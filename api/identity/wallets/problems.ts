import type { ProblemTypes } from '../../errors.ts'

export const walletProblems = {
  challengeInvalid: { name: 'wallets/challenge-invalid', status: 409, title: 'This address has no open challenge' },
  signatureInvalid: {
    name: 'wallets/signature-invalid',
    status: 422,
    title: 'The signature does not prove this wallet',
  },
  alreadyBound: { name: 'wallets/already-bound', status: 409, title: 'This address belongs to another account' },
  paidTo: { name: 'wallets/paid-to', status: 409, title: 'The account is paid to this wallet' },
} as const satisfies ProblemTypes
