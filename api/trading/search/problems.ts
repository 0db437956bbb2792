import type { ProblemTypes } from '../../errors.ts'

export const searchProblems = {
  timedOut: { name: 'search/timed-out', status: 503, title: 'The search took too long' },
} as const satisfies ProblemTypes
