import type { Module } from '../../module.ts'
import type { PersonalData } from '../db/personalDataRule.ts'
import { eventProblems } from './problems.ts'

const DAY = 86_400

const personalData: PersonalData = {
  tables: {
    // By rule, payloads hold URNs and states, and no text that a person wrote.
    'market.events': {
      plain: ['act', 'id', 'event_id', 'event_type', 'payload', 'visible_to', 'created_at', 'traceparent'],
    },
    'market.unplaced_acts': { plain: ['id', 'transaction_id'] },
    'market.placed_acts': { plain: ['place', 'id', 'event_ids'] },
    'market.act_readers': { plain: ['account_id', 'place'] },
    'market.event_log': { plain: ['singleton', 'last_place', 'purged_place'] },
    'market.event_consumers': { plain: ['name', 'cursor'] },
    'market.event_epochs': { plain: ['epoch', 'copy', 'ended_place'] },
  },
}

const rules = {
  /** How long events are kept in the log. */
  eventRetentionSeconds: 90 * DAY,
  /** How many streams of events an account can have open at each API process. */
  maxEventStreams: 20,
}

/** What the service knows through this folder. */
export const events = {
  problems: eventProblems,
  rules,
  personalData,
  schema: ['api/platform/events/schema.sql'],
} satisfies Module
