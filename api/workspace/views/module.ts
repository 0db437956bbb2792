import { sql } from 'kysely'
import type { Module } from '../../module.ts'
import { isOfLoneOrg, type PersonalData, timeText, urnText } from '../../platform/db/personalDataRule.ts'
import { defineOrgEvents } from '../orgEvents.ts'

export const viewEvents = defineOrgEvents({
  'view.created': 'A view of the tasks of an org was saved.',
  'view.deleted': 'A saved view was deleted.',
})

const personalData: PersonalData = {
  tables: {
    'market.views': {
      deleted: { rows: isOfLoneOrg, columns: ['name', 'query'] },
      plain: ['id', 'short_id', 'org_id', 'created_by', 'created_at'],
    },
  },
  sections: [
    {
      name: 'views',
      rows: (person) => sql`
        select saved.id, jsonb_build_object('id', saved.id, 'org_urn', ${urnText('org', 'saved.org_id')}, 'name', saved.name,
          'query', saved.query, 'created_at', ${timeText('saved.created_at')}) as document
        from market.org_members own join market.views saved on saved.org_id = own.org_id
        where own.human_id = ${person.id} and saved.created_by in ${person.authors}`,
    },
  ],
}

/** What the service knows through this folder. */
export const views = { events: viewEvents, personalData, schema: ['api/workspace/views/schema.sql'] } satisfies Module
