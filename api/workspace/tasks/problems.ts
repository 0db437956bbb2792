import type { ProblemTypes } from '../../errors.ts'

export const taskProblems = {
  taskStateConflict: {
    name: 'workspace/task-state-conflict',
    status: 409,
    title: 'The task is not in a state that allows this',
  },
  taskOfOrder: { name: 'workspace/task-of-order', status: 409, title: 'The task follows its order' },
} as const satisfies ProblemTypes
