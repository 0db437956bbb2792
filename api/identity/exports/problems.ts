import type { ProblemTypes } from '../../errors.ts'

export const exportProblems = {
  inProgress: { name: 'exports/in-progress', status: 409, title: 'An export is already in progress' },
  notReady: { name: 'exports/not-ready', status: 409, title: 'There is nothing to download' },
} as const satisfies ProblemTypes
