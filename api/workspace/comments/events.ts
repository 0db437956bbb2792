import { defineNotices } from '../notifications/kinds.ts'
import { defineOrgEvents } from '../orgEvents.ts'

export const commentEvents = defineOrgEvents({
  'comment.created': 'Somebody commented on a page or a task.',
  'comment.updated': 'A comment was written anew.',
  'comment.resolved': 'A thread was resolved.',
  'comment.reopened': 'A resolved thread is open again.',
  'comment.deleted': 'A comment was deleted.',
})

export const commentNotices = defineNotices({
  'comment.created': { title: 'Somebody commented on something of yours', role: 'author' },
  'comment.mentioned': { title: 'You were mentioned in a comment', role: 'mentioned' },
})
