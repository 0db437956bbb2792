import type { ProblemTypes } from '../../errors.ts'

export const chainProblems = {
  catchingUp: {
    name: 'service/catching-up',
    status: 503,
    title: 'The service is still reading the chain and moves no money yet',
  },
} as const satisfies ProblemTypes
