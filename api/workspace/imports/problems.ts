import type { ProblemTypes } from '../../errors.ts'

export const importProblems = {
  importStateConflict: {
    name: 'workspace/import-state-conflict',
    status: 409,
    title: 'The import is not in a state that allows this',
  },
  importEdited: { name: 'workspace/import-edited', status: 409, title: 'Pages of the import were edited' },
} as const satisfies ProblemTypes
