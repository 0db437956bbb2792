import type { PersonalData } from '../../platform/db/personalDataRule.ts'

export const criteriaPersonalData: PersonalData = {
  tables: {
    // Deleted with their upload.
    'market.delivery_checks': {
      plain: ['delivery_id', 'order_id', 'criteria_sha256', 'attempts', 'results', 'checked_at'],
    },
  },
}
