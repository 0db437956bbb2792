import { isOfLoneOrg, type PersonalData } from '../../platform/db/personalDataRule.ts'

export const importPersonalData: PersonalData = {
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
