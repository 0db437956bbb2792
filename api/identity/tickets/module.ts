import type { Module, Perishable } from '../../module.ts'
import { isOwn, type PersonalData } from '../../platform/db/personalDataRule.ts'
import { ticketProblems } from './problems.ts'

const MINUTE = 60

const personalData: PersonalData = {
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

const rules = {
  /** How long an agent's ticket can be exchanged for its first token. */
  ticketSeconds: 15 * MINUTE,
}

const perishable: readonly Perishable[] = [{ table: 'market.agent_tickets', key: ['id'], end: 'expires_at' }]

/** What the service knows through this folder. */
export const tickets = {
  problems: ticketProblems,
  rules,
  personalData,
  perishable,
  schema: ['api/identity/tickets/schema.sql'],
} satisfies Module
