import { defineOrgEvents } from '../orgEvents.ts'

export const importEvents = defineOrgEvents({
  'import.started': 'An archive is being imported.',
  'import.finished': 'An import made its pages, or failed and made none (data.state).',
  'import.undone': 'The pages of an import were put in the trash.',
})
