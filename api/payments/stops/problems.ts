import type { ProblemTypes } from '../../errors.ts'

export const stopProblems = {
  nothingToExplain: { name: 'stops/nothing-to-explain', status: 409, title: 'The stop has nothing to explain' },
} as const satisfies ProblemTypes
