import { defineOrgEvents } from '../orgEvents.ts'

export const attachmentEvents = defineOrgEvents({
  'attachment.created': 'A file was attached to a page.',
  'attachment.updated': 'An attachment was renamed, moved to another entry, or has new bytes.',
  'attachment.deleted': 'An attachment was put in the trash.',
  'attachment.restored': 'An attachment came out of the trash.',
})
