import { isOfLoneOrg, type PersonalData } from '../../platform/db/personalDataRule.ts'

export const workspaceSearchPersonalData: PersonalData = {
  tables: {
    // Triggers keep it in step with the things that it indexes.
    'market.search_documents': {
      deleted: { rows: isOfLoneOrg, columns: ['title', 'search'] },
      plain: ['id', 'type', 'org_id', 'space_id', 'page_id', 'is_trashed'],
    },
  },
}
