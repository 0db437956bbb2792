import { isOfLoneOrg, type PersonalData } from '../../platform/db/personalDataRule.ts'
import { defineNotices } from '../notifications/kinds.ts'
import { defineOrgEvents } from '../orgEvents.ts'

export const secretEvents = defineOrgEvents({
  'secret.revealed': 'The service is about to reveal the value of a secret.',
})

export const secretNotices = defineNotices({
  'secret.revealed': { title: 'A secret of yours was revealed', role: 'author' },
})

export const secretPersonalData: PersonalData = {
  tables: {
    'market.secrets': {
      deleted: { rows: isOfLoneOrg, columns: ['name', 'sealed_value'] },
      plain: [
        'id',
        'short_id',
        'org_id',
        'space_id',
        'version',
        'created_by',
        'created_at',
        'updated_by',
        'updated_at',
      ],
    },
  },
}
