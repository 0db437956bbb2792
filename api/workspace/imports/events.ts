import { defineNotices } from '../notifications/kinds.ts'
import { defineOrgEvents } from '../orgEvents.ts'

export const importEvents = defineOrgEvents({
  'import.started': 'An archive is being imported.',
  'import.finished': 'An import made its pages, or failed and made none (data.state).',
  'import.undone': 'The pages of an import were put in the trash.',
})

export const importNotices = defineNotices({
  'import.finished': { title: 'An import of yours has ended', role: 'author' },
})
