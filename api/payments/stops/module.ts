import type { Module } from '../../module.ts'
import type { PersonalData } from '../../platform/db/personalDataRule.ts'
import { stopProblems } from './problems.ts'

const personalData: PersonalData = {
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

/** What the service knows through this folder. */
export const stops = {
  problems: stopProblems,
  personalData,
  schema: ['api/payments/stops/schema.sql'],
} satisfies Module
