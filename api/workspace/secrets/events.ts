import { defineOrgEvents } from '../orgEvents.ts'

export const secretEvents = defineOrgEvents({
  'secret.revealed': 'The value of a secret is being handed to somebody: the event is written before that.',
})
