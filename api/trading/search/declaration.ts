import type { ProblemTypes } from '../../errors.ts'
import type { PersonalData } from '../../platform/db/personalDataRule.ts'

export const searchPersonalData: PersonalData = {
  tables: {
    // Words are deleted with the last active ask that uses them.
    'market.search_words': { plain: ['word'] },
  },
}

export const searchProblems = {
  'search/timed-out': { status: 503, title: 'The search took too long' },
} as const satisfies ProblemTypes
