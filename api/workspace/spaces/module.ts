import type { Module } from '../../module.ts'
import { isOfLoneOrg, isOwn, type PersonalData } from '../../platform/db/personalDataRule.ts'
import { defineOrgEvents } from '../orgEvents.ts'
import { spaceProblems } from './problems.ts'

export const spaceEvents = defineOrgEvents({
  'space.created': 'A space was created.',
  'space.updated': 'A space was renamed, archived or taken out of the archive, or its readers changed.',
  'space.deleted': 'An empty space was deleted.',
})

const personalData: PersonalData = {
  tables: {
    'market.spaces': {
      deleted: { rows: isOfLoneOrg, columns: ['name'] },
      plain: ['id', 'short_id', 'org_id', 'visibility', 'archived_at', 'created_by', 'created_at'],
    },
    'market.space_members': {
      deleted: { rows: isOwn('human_id'), columns: ['human_id'] },
      plain: ['org_id', 'space_id', 'added_at'],
    },
  },
}

/** What the service knows through this folder. */
export const spaces = {
  events: spaceEvents,
  problems: spaceProblems,
  personalData,
  schema: ['api/workspace/spaces/schema.sql'],
} satisfies Module
