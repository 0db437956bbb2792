import { defineNotices } from '../notifications/kinds.ts'
import { defineOrgEvents } from '../orgEvents.ts'

export const taskEvents = defineOrgEvents({
  'task.created': 'A task was filed.',
  'task.updated':
    'What is to be done, or the files of a task changed, or it was offered on the market or taken off it.',
  'task.state_changed': 'A task is in another state; beside the type that says how.',
  'task.claimed': 'A member claimed a task, or the order that it is done for was paid.',
  'task.released': 'A claimed task was given back, or its order ended without its work.',
  'task.claim_stale': 'The lease of a claim was over.',
  'task.submitted': 'A task was handed in, or its order delivered.',
  'task.approved': 'A task was approved, or its order accepted.',
  'task.rejected': 'A task was rejected, or its order.',
  'task.completed': 'With task.approved: the task is done.',
  'task.refiled': 'A task is open again that was approved, rejected or archived.',
  'task.archived': 'A task was put away.',
})

export const taskNotices = defineNotices({
  'task.submitted': { title: 'A task of yours was handed in', role: 'approver' },
  'task.approved': { title: 'A task that you did was approved', role: 'assignee' },
  'task.rejected': { title: 'A task that you did was rejected', role: 'assignee' },
})
