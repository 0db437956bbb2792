import type { ProblemTypes } from '../../errors.ts'

export const pictureProblems = {
  unreadable: { name: 'pictures/unreadable', status: 422, title: 'The picture cannot be read' },
} as const satisfies ProblemTypes
