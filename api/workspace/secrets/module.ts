import type { Module } from '../../module.ts'
import { isOfLoneOrg, type PersonalData } from '../../platform/db/personalDataRule.ts'
import { defineNotices } from '../notifications/kinds.ts'
import { defineOrgEvents } from '../orgEvents.ts'
import { secretProblems } from './problems.ts'

export const secretEvents = defineOrgEvents({
  'secret.revealed': 'The service is about to reveal the value of a secret.',
})

export const secretNotices = defineNotices({
  'secret.revealed': { title: 'A secret of yours was revealed', role: 'author' },
})

const personalData: PersonalData = {
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

/** What the service knows through this folder. */
export const secrets = {
  events: secretEvents,
  notices: secretNotices,
  problems: secretProblems,
  personalData,
  schema: ['api/workspace/secrets/schema.sql'],
} satisfies Module
