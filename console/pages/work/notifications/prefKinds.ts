/** The kinds of notification, as a person chooses how to be told of each. */
export const PREF_KINDS = {
  'task.submitted': 'A task of yours was handed in',
  'task.approved': 'A task that you did was approved',
  'task.rejected': 'A task that you did was rejected',
  'comment.created': 'Somebody commented on something of yours',
  'comment.mentioned': 'You were mentioned in a comment',
  'confirmation.requested': 'An agent of yours asks you',
  'decision.recorded': 'A decision was recorded on something of yours',
  'secret.revealed': 'A secret of yours was revealed',
  'attachment.created': 'A file was attached to a page of yours',
  'attachment.quarantined': 'A file was found infected',
  'import.finished': 'An import of yours has ended',
  'webhook.stopped': 'A webhook is not sent to any more',
} as const
