import { defineOrgEvents } from '../orgEvents.ts'

export const spaceEvents = defineOrgEvents({
  'space.created': 'A space was opened.',
  'space.updated': 'A space was renamed, archived or taken out of the archive, or others may see it.',
  'space.deleted': 'A space, which was empty, was deleted.',
})
