import { defineOrgEvents } from '../orgEvents.ts'

export const commentEvents = defineOrgEvents({
  'comment.created': 'Somebody commented on a page or a task.',
  'comment.updated': 'A comment was written anew.',
  'comment.resolved': 'A thread was resolved.',
  'comment.reopened': 'A resolved thread is open again.',
  'comment.deleted': 'A comment was deleted.',
})
