import type { Module } from '../../module.ts'
import type { PersonalData } from '../../platform/db/personalDataRule.ts'
import { searchProblems } from './problems.ts'

const personalData: PersonalData = {
  tables: {
    // Words are deleted with the last active ask that uses them.
    'market.search_words': { plain: ['word'] },
  },
}

/** What the service knows through this folder. */
export const search = {
  problems: searchProblems,
  personalData,
  schema: ['api/trading/search/words.sql', 'api/trading/search/schema.sql'],
} satisfies Module
