import { defineNotices } from '../notifications/kinds.ts'
import { defineOrgEvents } from '../orgEvents.ts'

export const attachmentEvents = defineOrgEvents({
  'attachment.created': 'A file was attached to a page.',
  'attachment.updated': 'An attachment was renamed, moved to another entry, or has new bytes.',
  'attachment.deleted': 'An attachment was put in the trash.',
  'attachment.restored': 'An attachment came out of the trash.',
})

export const attachmentNotices = defineNotices({
  'attachment.created': { title: 'A file was attached to a page of yours', role: 'author' },
  'attachment.quarantined': { title: 'A file was found infected, and is not handed out', role: 'author' },
})
