import { sql } from 'kysely'
import type { Module } from '../../module.ts'
import { isOfLoneOrg, type PersonalData, timeText, urnText } from '../../platform/db/personalDataRule.ts'
import { defineNotices } from '../notifications/kinds.ts'
import { defineOrgEvents } from '../orgEvents.ts'
import { sees } from '../spaces/find.ts'
import { taskProblems } from './problems.ts'

const HOUR = 3_600

export const taskEvents = defineOrgEvents({
  'task.created': 'A task was filed.',
  'task.updated': 'The text, files, plan or place of a task changed, or its offer on the market began or ended.',
  'task.state_changed': 'Accompanies the type that says how a task changed its state.',
  'task.claimed': 'A member claimed a task, or the order that does it was paid.',
  'task.released': 'A claimed task was given back, or its order ended without its work.',
  'task.claim_stale': 'The lease of a claim ended.',
  'task.submitted': 'A task was handed in, or its order was delivered.',
  'task.approved': 'A task was approved, or its order was accepted.',
  'task.rejected': 'A task or its order was rejected.',
  'task.completed': 'Accompanies task.approved: the task is done.',
  'task.refiled': 'An approved, rejected or archived task is open again.',
  'task.archived': 'A task was archived.',
})

export const taskNotices = defineNotices({
  'task.assigned': { title: 'A task was assigned to you', role: 'assignee' },
  'task.submitted': { title: 'A task of yours was handed in', role: 'approver' },
  'task.approved': { title: 'A task that you did was approved', role: 'assignee' },
  'task.rejected': { title: 'A task that you did was rejected', role: 'assignee' },
})

const personalData: PersonalData = {
  tables: {
    'market.task_files': { plain: ['task_id', 'attachment_id', 'org_id', 'version'] },
    'market.tasks': {
      deleted: { rows: isOfLoneOrg, columns: ['title', 'text', 'result', 'reason', 'labels'] },
      plain: [
        ...[
          'id',
          'short_id',
          'org_id',
          'space_id',
          'page_id',
          'state',
          'claimed_by',
          'lease_until',
          'bid_id',
          'order_id',
        ],
        ...['assignee', 'due_on', 'priority', 'position', 'created_by', 'created_at', 'updated_at'],
      ],
    },
  },
  sections: [
    {
      name: 'tasks',
      rows: (person) => sql`
        select task.id, jsonb_build_object('id', task.id, 'org_urn', ${urnText('org', 'task.org_id')}, 'title', task.title,
          'text', task.text, 'state', task.state, 'created_by', task.created_by, 'claimed_by', task.claimed_by,
          'result', task.result, 'reason', task.reason, 'assignee', task.assignee, 'due_on', task.due_on, 'labels', task.labels,
          'priority', task.priority, 'created_at', ${timeText('task.created_at')}) as document
        from market.org_members own join market.tasks task on task.org_id = own.org_id
        where own.human_id = ${person.id} and ${sees('task.space_id')}
          and (task.created_by in ${person.authors} or task.claimed_by in ${person.authors} or task.assignee in ${person.authors})`,
    },
  ],
}

const rules = {
  /** How long a claimant keeps a claimed task without renewing, where the claim does not say. */
  taskLeaseSeconds: HOUR,
}

/** What the service knows through this folder. */
export const tasks = {
  events: taskEvents,
  notices: taskNotices,
  problems: taskProblems,
  rules,
  personalData,
  schema: ['api/workspace/tasks/schema.sql'],
} satisfies Module
