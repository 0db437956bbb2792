import type { PersonalData } from '../db/personalDataRule.ts'

const DAY = 86_400

export const eventPersonalData: PersonalData = {
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

export const eventRules = {
  /** How long events are kept in the log. */
  eventRetentionSeconds: 90 * DAY,
  /** How many streams of events an account can have open at each API process. */
  maxEventStreams: 20,
}
