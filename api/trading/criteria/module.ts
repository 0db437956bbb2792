import type { Module } from '../../module.ts'
import type { PersonalData } from '../../platform/db/personalDataRule.ts'

const personalData: PersonalData = {
  tables: {
    // Deleted with their upload.
    'market.delivery_checks': {
      plain: ['delivery_id', 'order_id', 'criteria_sha256', 'attempts', 'results', 'checked_at'],
    },
  },
}

/** What the service knows through this folder. */
export const criteria = { personalData, schema: ['api/trading/criteria/schema.sql'] } satisfies Module
