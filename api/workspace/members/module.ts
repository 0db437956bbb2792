import type { Module } from '../../module.ts'
import { defineNotices } from '../notifications/kinds.ts'
import { defineOrgEvents } from '../orgEvents.ts'

export const memberEvents = defineOrgEvents({
  'invitation.created': 'Somebody was invited to the org, by URN or by mail.',
  'invitation.ended': 'An invitation was withdrawn or declined.',
  'member.added': 'An invited person joined the org.',
  'member.removed': 'A member left the org, was removed, or was erased.',
  'member.role_changed': 'A member has another role.',
})

export const memberNotices = defineNotices({
  'invitation.received': { title: 'You were invited to an org', role: 'invited' },
  'member.added': { title: 'Somebody you invited joined an org', role: 'admin' },
})

/** What the service knows through this folder. */
export const members = {
  events: memberEvents,
  notices: memberNotices,
  schema: ['api/workspace/schema.sql'],
} satisfies Module
