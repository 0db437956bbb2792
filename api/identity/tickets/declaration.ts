import { isOwn, type PersonalData } from '../../platform/db/personalDataRule.ts'

const MINUTE = 60

export const ticketPersonalData: PersonalData = {
  tables: {
    'market.agent_tickets': {
      deleted: { rows: isOwn('human_id'), columns: ['secret_hash'] },
      plain: [
        'id',
        'agent_id',
        'human_id',
        'scopes',
        'token_expires_at',
        'per_order_micros',
        'per_day_micros',
        'expires_at',
        'closed_at',
        'created_at',
      ],
    },
  },
}

export const ticketRules = {
  /** How long an agent's ticket can be exchanged for its first token. */
  ticketSeconds: 15 * MINUTE,
}
