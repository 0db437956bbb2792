import type { PersonalData } from '../db/personalDataRule.ts'

export const eventPersonalData: PersonalData = {
  tables: {
    // By rule, payloads hold URNs and states, and no text that a person wrote.
    'market.events': {
      plain: ['act', 'id', 'event_id', 'event_type', 'payload', 'visible_to', 'created_at'],
    },
    'market.unplaced_acts': { plain: ['id'] },
    'market.placed_acts': { plain: ['place', 'id', 'event_ids'] },
    'market.act_readers': { plain: ['account_id', 'place'] },
    'market.event_log': { plain: ['singleton', 'last_place', 'purged_place'] },
    'market.event_consumers': { plain: ['name', 'cursor'] },
    'market.event_epochs': { plain: ['epoch', 'copy', 'ended_place'] },
  },
}
