import type { Module } from '../../module.ts'
import { isOfLoneOrg, type PersonalData } from '../../platform/db/personalDataRule.ts'

const personalData: PersonalData = {
  tables: {
    'market.file_texts': {
      deleted: { rows: isOfLoneOrg, columns: ['text', 'search', 'first_character', 'characters'] },
      plain: ['file_id', 'org_id'],
    },
    'market.previews': { plain: ['id', 'file_id', 'size', 'size_bytes', 'created_at'] },
  },
}

/** What the service knows through this folder. */
export const processing = { personalData, schema: ['api/workspace/processing/schema.sql'] } satisfies Module
