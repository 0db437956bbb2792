import type { Module } from '../../module.ts'
import type { PersonalData } from '../db/personalDataRule.ts'

const personalData: PersonalData = {
  tables: {
    'market.signing_keys': { plain: ['kid', 'purpose', 'x', 'valid_from', 'valid_until', 'sealed'] },
  },
}

/** What the service knows through this folder. */
export const signing = { personalData, schema: ['api/platform/signing/schema.sql'] } satisfies Module
