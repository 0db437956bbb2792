import { z } from 'zod'
import type { PersonalData } from '../../platform/db/personalDataRule.ts'
import { defineEvents, timeIn, urnIn } from '../../platform/events/eventType.ts'

const aboutHuman = z.object({ human_urn: urnIn('human') })

export const erasureEvents = defineEvents({
  'erasure.requested': {
    when: 'The erasure of an account was requested; it is carried out from erase_at on, unless it is cancelled.',
    payload: aboutHuman.extend({ erase_at: timeIn }),
  },
  'erasure.cancelled': {
    when: 'The erasure of an account was cancelled.',
    payload: aboutHuman,
  },
})

export const erasurePersonalData: PersonalData = {
  tables: {
    'market.erasure_requests': { emptied: ['human_id', 'requested_at', 'told_at'] },
  },
}
