import type { ProblemTypes } from '../../errors.ts'

export const ticketProblems = {
  ticketInvalid: { name: 'auth/ticket-invalid', status: 401, title: 'The ticket has expired or was used' },
} as const satisfies ProblemTypes
