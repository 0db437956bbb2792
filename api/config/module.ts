import type { Module } from '../module.ts'
import type { PersonalData } from '../platform/db/personalDataRule.ts'

const personalData: PersonalData = {
  tables: {
    'market.fee_rates': { plain: ['starts_at', 'fee_bps'] },
  },
}

/** What the service knows through this folder. */
export const config = { personalData, schema: ['api/config/schema.sql'] } satisfies Module
