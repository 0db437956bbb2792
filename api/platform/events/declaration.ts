import type { PersonalData } from '../db/personalDataRule.ts'

export const eventPersonalData: PersonalData = {
  tables: {
    // By rule, payloads hold URNs and states, and no text that a person wrote.
    'market.events': {
      plain: ['id', 'transaction_id', 'event_id', 'event_type', 'payload', 'visible_to', 'created_at'],
    },
    'market.visible_events': { plain: ['account_id', 'transaction_id', 'id'] },
    'market.event_log': { plain: ['singleton', 'epoch', 'purged_transaction_id', 'purged_id'] },
  },
}
