import type { ProblemTypes } from '../../errors.ts'

export const spaceProblems = {
  spaceArchived: { name: 'workspace/space-archived', status: 409, title: 'The space is archived' },
  spaceNotEmpty: { name: 'workspace/space-not-empty', status: 409, title: 'The space is not empty' },
} as const satisfies ProblemTypes
