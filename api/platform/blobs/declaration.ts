import type { PersonalData } from '../db/personalDataRule.ts'

export const blobPersonalData: PersonalData = {
  tables: {
    'market.blob_removals': { plain: ['blob_id', 'created_at'] },
  },
}
