import type { ProblemTypes } from '../../errors.ts'

export const mailProblems = {
  notNeeded: { name: 'mails/not-needed', status: 409, title: 'The service sends no confirmation' },
} as const satisfies ProblemTypes
