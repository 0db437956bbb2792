import { isOfLoneOrg, type PersonalData } from '../../platform/db/personalDataRule.ts'

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
