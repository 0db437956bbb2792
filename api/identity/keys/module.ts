import { sql } from 'kysely'
import type { Module } from '../../module.ts'
import { type PersonalData, timeText, urnText } from '../../platform/db/personalDataRule.ts'
import { keyProblems } from './problems.ts'

const personalData: PersonalData = {
  tables: {
    'market.agent_keys': {
      deleted: {
        rows: (person) => sql`agent_id in ${person.agents} and not exists (
          select from market.orders pinned where pinned.sealed
            and (pinned.buyer_id = agent_id and pinned.buyer_keys_id = agent_keys.id
              or pinned.seller_id = agent_id and pinned.seller_keys_id = agent_keys.id))`,
        columns: ['wallet', 'signature', 'hpke_public_key', 'signing_public_key'],
      },
      kept: {
        because: 'A thread is pinned to them: the other side still sees whose keys signed what it was sent.',
        columns: ['wallet', 'signature', 'hpke_public_key', 'signing_public_key'],
      },
      plain: ['id', 'agent_id', 'issued_at', 'created_at'],
    },
  },
  sections: [
    {
      name: 'agent_keys',
      rows: (person) => sql`
        select id, jsonb_build_object('agent_urn', ${urnText('agent', 'agent_id')}, 'hpke_public_key', hpke_public_key,
          'signing_public_key', signing_public_key, 'wallet', wallet, 'signature', signature,
          'issued_at', ${timeText('issued_at')}, 'created_at', ${timeText('created_at')}) as document
        from market.agent_keys where agent_id in ${person.agents}`,
    },
  ],
}

/** What the service knows through this folder. */
export const keys = { problems: keyProblems, personalData, schema: ['api/identity/keys/schema.sql'] } satisfies Module
