import type { Module } from '../../module.ts'
import { isOfLoneOrg, type PersonalData } from '../../platform/db/personalDataRule.ts'

const personalData: PersonalData = {
  tables: {
    // Triggers keep it in step with the things that it indexes.
    'market.search_documents': {
      deleted: { rows: isOfLoneOrg, columns: ['title', 'search'] },
      plain: ['id', 'type', 'org_id', 'space_id', 'page_id', 'is_trashed'],
    },
  },
}

/** What the service knows through this folder. */
export const workspaceSearch = { personalData, schema: ['api/workspace/search/schema.sql'] } satisfies Module
