import { defineNotices } from '../notifications/kinds.ts'
import { defineOrgEvents } from '../orgEvents.ts'

export const decisionEvents = defineOrgEvents({
  'decision.recorded': 'A decision was recorded (data.supersedes: in place of an earlier one).',
})

export const decisionNotices = defineNotices({
  'decision.recorded': { title: 'A decision was recorded on something of yours', role: 'author' },
})
