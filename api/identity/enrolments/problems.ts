import type { ProblemTypes } from '../../errors.ts'

export const enrolmentProblems = {
  notNeeded: { name: 'enrolments/not-needed', status: 409, title: 'A passkey already lets this human in' },
} as const satisfies ProblemTypes
