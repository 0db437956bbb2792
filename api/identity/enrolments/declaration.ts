import type { ProblemTypes } from '../../errors.ts'
import { isOwn, type PersonalData } from '../../platform/db/personalDataRule.ts'

export const enrolmentPersonalData: PersonalData = {
  tables: {
    'market.enrolments': {
      deleted: { rows: isOwn('human_id'), columns: ['secret_hash'] },
      plain: ['id', 'human_id', 'issued_by', 'expires_at', 'closed_at', 'created_at'],
    },
  },
}

export const enrolmentProblems = {
  'enrolments/not-needed': { status: 409, title: 'A passkey already lets this human in' },
} as const satisfies ProblemTypes
