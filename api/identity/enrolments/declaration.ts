import { isOwn, type PersonalData } from '../../platform/db/personalDataRule.ts'

export const enrolmentPersonalData: PersonalData = {
  tables: {
    'market.enrolments': {
      deleted: { rows: isOwn('human_id'), columns: ['secret_hash'] },
      plain: ['id', 'human_id', 'issued_by', 'expires_at', 'closed_at', 'created_at'],
    },
  },
}
