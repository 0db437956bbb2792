import type { Module } from '../../module.ts'
import { isOfLoneOrg, type PersonalData } from '../../platform/db/personalDataRule.ts'
import { defineNotices } from '../notifications/kinds.ts'
import { defineOrgEvents } from '../orgEvents.ts'
import { importProblems } from './problems.ts'

export const importEvents = defineOrgEvents({
  'import.started': 'An archive is being imported.',
  'import.finished': 'An import made its pages, or failed and made none (data.state).',
  'import.undone': 'The pages of an import were moved to the trash.',
})

export const importNotices = defineNotices({
  'import.finished': { title: 'An import of yours has ended', role: 'author' },
})

const personalData: PersonalData = {
  tables: {
    'market.imports': {
      deleted: { rows: isOfLoneOrg, columns: ['failure', 'report', 'report_total'] },
      plain: [
        ...[
          'id',
          'short_id',
          'org_id',
          'space_id',
          'parent_id',
          'attachment_id',
          'state',
          'pages',
          'files',
          'attempts',
        ],
        ...['created_by', 'via', 'created_at', 'ended_at', 'undone_at'],
      ],
    },
  },
}

/** What the service knows through this folder. */
export const imports = {
  events: importEvents,
  notices: importNotices,
  problems: importProblems,
  personalData,
  schema: ['api/workspace/imports/schema.sql'],
} satisfies Module
