import { sql } from 'kysely'
import type { Module } from '../../module.ts'
import { amountText, isOwn, NOTHING, type PersonalData, timeText, urnText } from '../../platform/db/personalDataRule.ts'
import { tokenProblems } from './problems.ts'

const MINUTE = 60

const personalData: PersonalData = {
  tables: {
    'market.tokens': {
      overwritten: {
        rows: isOwn('human_id'),
        columns: { revoked_at: sql`coalesce(revoked_at, market.now())`, last_used_at: NOTHING },
      },
      plain: [
        'id',
        'human_id',
        'agent_id',
        'secret_hash',
        'scopes',
        'created_at',
        'expires_at',
        'rotated_at',
        'per_order_micros',
        'per_day_micros',
        'spending_id',
      ],
    },
    'market.token_spending': {
      plain: ['spending_id', 'day', 'committed_micros'],
    },
  },
  sections: [
    {
      name: 'tokens',
      rows: (person) => sql`
        select id, jsonb_build_object('urn', ${urnText('token', 'id')},
          'owner_urn', coalesce(${urnText('agent', 'agent_id')}, ${urnText('human', 'human_id')}), 'scopes', scopes,
          'created_at', ${timeText('created_at')}, 'expires_at', ${timeText('expires_at')},
          'revoked_at', ${timeText('revoked_at')}, 'last_used_at', ${timeText('last_used_at')},
          'per_order', ${amountText('per_order_micros')}, 'per_day', ${amountText('per_day_micros')},
          'spending_id', spending_id) as document
        from market.tokens where human_id = ${person.id}`,
    },
    {
      name: 'token_spending',
      rows: (person) => sql`
        select spent.spending_id || ':' || spent.day as id, jsonb_build_object('spending_id', spent.spending_id,
          'day', spent.day, 'committed', ${amountText('spent.committed_micros')}) as document
        from market.token_spending spent
        where spent.spending_id in (select spending_id from market.tokens where human_id = ${person.id})`,
    },
  ],
}

const rules = {
  /** How long a rotated token can repeat its own rotation, in case the answer was lost. */
  rotationRepeatSeconds: 10 * MINUTE,
}

/** What the service knows through this folder. */
export const tokens = {
  problems: tokenProblems,
  rules,
  personalData,
  schema: ['api/identity/tokens/schema.sql'],
} satisfies Module
