import { isOfLoneOrg, type PersonalData } from '../../platform/db/personalDataRule.ts'

export const uploadPersonalData: PersonalData = {
  tables: {
    'market.uploads': {
      deleted: { rows: isOfLoneOrg, columns: ['metadata'] },
      plain: [
        ...[
          'id',
          'org_id',
          'created_by',
          'length_bytes',
          'reserved_bytes',
          'unverified_from',
          'lease_id',
          'leased_until',
        ],
        ...['is_direct', 'is_wanted', 'attachment_id', 'created_at', 'expires_at'],
      ],
    },
  },
}
