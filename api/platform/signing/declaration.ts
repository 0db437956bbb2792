import type { PersonalData } from '../db/personalDataRule.ts'

export const signingPersonalData: PersonalData = {
  tables: {
    'market.signing_keys': { plain: ['kid', 'purpose', 'x', 'valid_from', 'valid_until', 'sealed'] },
  },
}
