import type { Module, Perishable } from '../../module.ts'
import { isOwn, type PersonalData } from '../../platform/db/personalDataRule.ts'
import { enrolmentProblems } from './problems.ts'

const personalData: PersonalData = {
  tables: {
    'market.enrolments': {
      deleted: { rows: isOwn('human_id'), columns: ['secret_hash'] },
      plain: ['id', 'human_id', 'issued_by', 'expires_at', 'closed_at', 'created_at'],
    },
  },
}

const perishable: readonly Perishable[] = [{ table: 'market.enrolments', key: ['id'], end: 'expires_at' }]

/** What the service knows through this folder. */
export const enrolments = {
  problems: enrolmentProblems,
  personalData,
  perishable,
  schema: ['api/identity/enrolments/schema.sql'],
} satisfies Module
