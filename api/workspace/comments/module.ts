import { sql } from 'kysely'
import type { Module } from '../../module.ts'
import { isOfLoneOrg, type PersonalData, timeText, urnText } from '../../platform/db/personalDataRule.ts'
import { defineNotices } from '../notifications/kinds.ts'
import { defineOrgEvents } from '../orgEvents.ts'
import { sees } from '../spaces/find.ts'
import { commentProblems } from './problems.ts'

export const commentEvents = defineOrgEvents({
  'comment.created': 'Somebody commented on a page or a task.',
  'comment.updated': 'A comment was edited.',
  'comment.resolved': 'A thread was resolved.',
  'comment.reopened': 'A resolved thread is open again.',
  'comment.deleted': 'A comment was deleted.',
})

export const commentNotices = defineNotices({
  'comment.created': { title: 'Somebody commented on something of yours', role: 'author' },
  'comment.mentioned': { title: 'You were mentioned in a comment', role: 'mentioned' },
})

const personalData: PersonalData = {
  tables: {
    'market.comments': {
      deleted: { rows: isOfLoneOrg, columns: ['text', 'anchor'] },
      plain: [
        ...['id', 'short_id', 'org_id', 'page_id', 'task_id', 'thread_id', 'created_by', 'created_at', 'updated_at'],
        ...['resolved_by', 'resolved_at', 'deleted_at'],
      ],
    },
  },
  sections: [
    {
      name: 'comments',
      rows: (person) => sql`
        select comment.id, jsonb_build_object('id', comment.id, 'org_urn', ${urnText('org', 'comment.org_id')},
          'page_id', comment.page_id, 'task_id', comment.task_id, 'text', comment.text,
          'created_by', comment.created_by, 'created_at', ${timeText('comment.created_at')}) as document
        from market.org_members own join market.comments comment on comment.org_id = own.org_id
        left join market.pages page on page.id = comment.page_id left join market.tasks task on task.id = comment.task_id
        cross join lateral (select coalesce(page.space_id, task.space_id) as space_id) place
        where own.human_id = ${person.id} and ${sees('place.space_id')} and comment.created_by in ${person.authors}`,
    },
  ],
}

/** What the service knows through this folder. */
export const comments = {
  events: commentEvents,
  notices: commentNotices,
  problems: commentProblems,
  personalData,
  schema: ['api/workspace/comments/schema.sql'],
} satisfies Module
