import { z } from 'zod'
import type { Module } from '../../module.ts'
import type { PersonalData } from '../../platform/db/personalDataRule.ts'
import { defineEvents, timeIn, urnIn } from '../../platform/events/eventType.ts'
import { erasureProblems } from './problems.ts'

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

const personalData: PersonalData = {
  tables: {
    'market.erasure_requests': { emptied: ['human_id', 'requested_at', 'told_at'] },
  },
}

/** What the service knows through this folder. */
export const erasure = {
  events: erasureEvents,
  problems: erasureProblems,
  personalData,
  schema: ['api/identity/erasure/schema.sql'],
} satisfies Module
