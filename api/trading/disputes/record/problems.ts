import type { ProblemTypes } from '../../../errors.ts'

export const disputeProblems = {
  stateConflict: {
    name: 'disputes/state-conflict',
    status: 409,
    title: 'The dispute is not in a state that allows this',
  },
  tooManyAppeals: {
    name: 'disputes/too-many-appeals',
    status: 422,
    title: 'The account has the maximum number of open appeals',
  },
  tooManyFiles: {
    name: 'disputes/too-many-files',
    status: 409,
    title: 'This side has handed in the maximum number of files',
  },
  evidenceRefused: { name: 'disputes/evidence-refused', status: 422, title: 'This is not evidence in this dispute' },
} as const satisfies ProblemTypes
