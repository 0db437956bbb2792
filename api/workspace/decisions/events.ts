import { defineOrgEvents } from '../orgEvents.ts'

export const decisionEvents = defineOrgEvents({
  'decision.recorded': 'A decision was recorded (data.supersedes: in place of an earlier one).',
})
