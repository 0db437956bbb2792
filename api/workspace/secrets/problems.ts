import type { ProblemTypes } from '../../errors.ts'

export const secretProblems = {
  secretExists: { name: 'workspace/secret-exists', status: 409, title: 'A secret of this name exists' },
} as const satisfies ProblemTypes
