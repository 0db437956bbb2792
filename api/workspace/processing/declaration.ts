import { isOfLoneOrg, type PersonalData } from '../../platform/db/personalDataRule.ts'

export const processingPersonalData: PersonalData = {
  tables: {
    'market.file_texts': {
      deleted: { rows: isOfLoneOrg, columns: ['text', 'search', 'first_character', 'characters'] },
      plain: ['file_id', 'org_id'],
    },
    'market.previews': { plain: ['id', 'file_id', 'size', 'size_bytes', 'created_at'] },
  },
}
