import type { ProblemTypes } from '../../errors.ts'
import { isOfLoneOrg, type PersonalData } from '../../platform/db/personalDataRule.ts'
import { defineNotices } from '../notifications/kinds.ts'
import { defineOrgEvents } from '../orgEvents.ts'

export const secretEvents = defineOrgEvents({
  'secret.revealed': 'The value of a secret is being handed to somebody: the event is written before that.',
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

export const secretProblems = {
  'workspace/secret-exists': { status: 409, title: 'There is a secret of this name' },
} as const satisfies ProblemTypes
