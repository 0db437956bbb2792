import type { ProblemTypes } from '../../errors.ts'

export const payoutProblems = {
  notParked: { name: 'payouts/not-parked', status: 409, title: 'The payout is not parked' },
  walletNotInUse: { name: 'payouts/wallet-not-in-use', status: 422, title: 'Nobody is paid to this wallet' },
} as const satisfies ProblemTypes
