import type { PersonalData } from '../platform/db/personalDataRule.ts'

export const configPersonalData: PersonalData = {
  tables: {
    'market.fee_rates': { plain: ['starts_at', 'fee_bps'] },
  },
}
