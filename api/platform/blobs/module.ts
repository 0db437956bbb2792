import type { Module } from '../../module.ts'
import type { PersonalData } from '../db/personalDataRule.ts'

const personalData: PersonalData = {
  tables: {
    'market.blob_removals': { plain: ['blob_id', 'created_at'] },
  },
}

/** What the service knows through this folder. */
export const blobs = { personalData, schema: ['api/platform/blobs/schema.sql'] } satisfies Module
