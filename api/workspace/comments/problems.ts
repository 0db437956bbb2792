import type { ProblemTypes } from '../../errors.ts'

export const commentProblems = {
  anchorNotFound: { name: 'workspace/anchor-not-found', status: 422, title: 'The page does not contain these words' },
  commentConflict: {
    name: 'workspace/comment-conflict',
    status: 409,
    title: 'The comment is not in a state that allows this',
  },
} as const satisfies ProblemTypes
