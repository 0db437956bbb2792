import type { ProblemTypes } from '../../errors.ts'

export const pageProblems = {
  pageConflict: { name: 'workspace/page-conflict', status: 412, title: 'The page was changed meanwhile' },
  pageTree: { name: 'workspace/page-tree', status: 422, title: 'The page cannot be below that one' },
  pageNotTrashed: { name: 'workspace/page-not-trashed', status: 409, title: 'The page is not in the trash' },
  archiveTooLarge: { name: 'workspace/archive-too-large', status: 422, title: 'The archive would be too large' },
  textTooLong: { name: 'workspace/text-too-long', status: 422, title: 'The page would have too much text' },
} as const satisfies ProblemTypes
