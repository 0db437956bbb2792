import type { ProblemTypes } from '../../errors.ts'

export const erasureProblems = {
  eraseBlocked: { name: 'erase_blocked', status: 409, title: 'The account cannot be erased yet' },
} as const satisfies ProblemTypes
