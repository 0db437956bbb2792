import { defineOrgEvents } from '../orgEvents.ts'

export const memberEvents = defineOrgEvents({
  'member.added': 'An invited person joined the org.',
  'member.removed': 'A member left the org, was removed, or was erased.',
  'member.role_changed': 'A member has another role.',
})
