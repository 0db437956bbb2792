import { defineOrgEvents } from '../orgEvents.ts'

export const pageEvents = defineOrgEvents({
  'page.created': 'A page was written.',
  'page.updated': 'The title, the text or the entries of a page changed.',
  'page.moved': 'A page has another place in the tree, or is in another space; what is below it goes with it.',
  'page.deleted': 'A page was put in the trash, or one above it.',
  'page.restored': 'A page came out of the trash.',
  'page.published': 'A version of a page is the published one.',
})
