import type { ProblemTypes } from '../../errors.ts'

export const pushProblems = {
  registeredElsewhere: { name: 'push/registered-elsewhere', status: 409, title: 'Another account uses this device' },
} as const satisfies ProblemTypes
