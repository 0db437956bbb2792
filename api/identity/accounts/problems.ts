import type { ProblemTypes } from '../../errors.ts'

export const accountProblems = {
  tooMany: { name: 'agents/too-many', status: 409, title: 'The person has the maximum number of agents' },
} as const satisfies ProblemTypes
