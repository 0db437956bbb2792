import { defineNotices } from '../notifications/kinds.ts'
import { defineOrgEvents } from '../orgEvents.ts'

export const secretEvents = defineOrgEvents({
  'secret.revealed': 'The value of a secret is being handed to somebody: the event is written before that.',
})

export const secretNotices = defineNotices({
  'secret.revealed': { title: 'A secret of yours was revealed', role: 'author' },
})
