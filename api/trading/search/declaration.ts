import type { PersonalData } from '../../platform/db/personalDataRule.ts'

export const searchPersonalData: PersonalData = {
  tables: {
    // Words are deleted with the last active ask that uses them.
    'market.search_words': { plain: ['word'] },
  },
}
