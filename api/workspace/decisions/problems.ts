import type { ProblemTypes } from '../../errors.ts'

export const decisionProblems = {
  decisionSuperseded: {
    name: 'workspace/decision-superseded',
    status: 409,
    title: 'Another decision replaced this one',
  },
} as const satisfies ProblemTypes
