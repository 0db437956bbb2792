import { sql } from 'kysely'
import type { Module } from '../../module.ts'
import { isOfLoneOrg, type PersonalData, timeText, urnText } from '../../platform/db/personalDataRule.ts'
import { defineNotices } from '../notifications/kinds.ts'
import { defineOrgEvents } from '../orgEvents.ts'
import { sees } from '../spaces/find.ts'
import { decisionProblems } from './problems.ts'

export const decisionEvents = defineOrgEvents({
  'decision.recorded': 'A decision was recorded (data.supersedes: in place of an earlier one).',
})

export const decisionNotices = defineNotices({
  'decision.recorded': { title: 'A decision was recorded on something of yours', role: 'author' },
})

const personalData: PersonalData = {
  tables: {
    'market.decisions': {
      deleted: { rows: isOfLoneOrg, columns: ['title', 'text'] },
      plain: ['id', 'short_id', 'org_id', 'space_id', 'page_id', 'task_id', 'supersedes', 'created_by', 'created_at'],
    },
  },
  sections: [
    {
      name: 'decisions',
      rows: (person) => sql`
        select decision.id, jsonb_build_object('id', decision.id, 'org_urn', ${urnText('org', 'decision.org_id')},
          'page_id', (select page.id from market.pages page where page.id = decision.page_id and ${sees('page.space_id')}),
          'task_id', (select task.id from market.tasks task where task.id = decision.task_id and ${sees('task.space_id')}), 'title', decision.title, 'text', decision.text,
          'supersedes', decision.supersedes, 'created_by', decision.created_by,
          'created_at', ${timeText('decision.created_at')}) as document
        from market.org_members own join market.decisions decision on decision.org_id = own.org_id
        where own.human_id = ${person.id} and ${sees('decision.space_id')} and decision.created_by in ${person.authors}`,
    },
  ],
}

/** What the service knows through this folder. */
export const decisions = {
  events: decisionEvents,
  notices: decisionNotices,
  problems: decisionProblems,
  personalData,
  schema: ['api/workspace/decisions/schema.sql'],
} satisfies Module
