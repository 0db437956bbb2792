import type { PersonalData } from '../../platform/db/personalDataRule.ts'

export const stopPersonalData: PersonalData = {
  tables: {
    'market.payout_stops': {
      kept: {
        because: 'An operator says here why money stands still; no operator is erased.',
        columns: ['reason', 'raised_by', 'lifted_by', 'explanation', 'explained_by'],
      },
      plain: ['id', 'place', 'fact', 'raised_at', 'lifted_at', 'explained_at'],
    },
  },
}
