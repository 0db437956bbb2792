import type { ProblemTypes } from '../../errors.ts'

export const inputProblems = {
  unusable: {
    name: 'asks/input-unusable',
    status: 422,
    title: 'Nobody could order with the input that the ask describes',
  },
} as const satisfies ProblemTypes
