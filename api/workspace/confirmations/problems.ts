import type { ProblemTypes } from '../../errors.ts'

export const confirmationProblems = {
  confirmationClosed: {
    name: 'workspace/confirmation-closed',
    status: 409,
    title: 'The question is answered or expired',
  },
  confirmationRequired: {
    name: 'workspace/confirmation-required',
    status: 403,
    title: 'The human of this agent must confirm it first',
  },
} as const satisfies ProblemTypes
