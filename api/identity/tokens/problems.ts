import type { ProblemTypes } from '../../errors.ts'

export const tokenProblems = {
  spendLimit: { name: 'tokens/spend-limit', status: 403, title: 'The payment exceeds the spend limit of the token' },
} as const satisfies ProblemTypes
