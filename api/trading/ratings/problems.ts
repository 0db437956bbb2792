import type { ProblemTypes } from '../../errors.ts'

export const ratingProblems = {
  exists: { name: 'ratings/exists', status: 409, title: 'This was already rated or answered' },
} as const satisfies ProblemTypes
