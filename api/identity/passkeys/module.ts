import { sql } from 'kysely'
import type { Module, Perishable } from '../../module.ts'
import { isOwn, type PersonalData, timeText, urnText } from '../../platform/db/personalDataRule.ts'
import { passkeyProblems } from './problems.ts'

const MINUTE = 60

const personalData: PersonalData = {
  tables: {
    'market.passkey_challenges': {
      deleted: { rows: isOwn('human_id'), columns: ['profile', 'challenge'] },
      plain: ['purpose', 'human_id', 'expires_at', 'created_at'],
    },
    'market.passkeys': {
      deleted: {
        rows: isOwn('human_id'),
        columns: ['credential_id', 'public_key', 'name', 'transports', 'last_used_at', 'is_backed_up'],
      },
      plain: ['id', 'human_id', 'counter', 'created_at', 'flagged_at'],
    },
  },
  sections: [
    {
      name: 'passkeys',
      rows: (person) => sql`
        select id, jsonb_build_object('urn', ${urnText('passkey', 'id')}, 'name', name, 'transports', transports,
          'is_backed_up', is_backed_up, 'created_at', ${timeText('created_at')},
          'last_used_at', ${timeText('last_used_at')}) as document
        from market.passkeys where human_id = ${person.id}`,
    },
  ],
}

const rules = {
  /** How long the challenge of a passkey ceremony can be answered. */
  passkeyChallengeSeconds: 5 * MINUTE,
}

const perishable: readonly Perishable[] = [
  // Challenges can be requested without an account.
  { table: 'market.passkey_challenges', key: ['challenge'], end: 'expires_at' },
]

/** What the service knows through this folder. */
export const passkeys = {
  problems: passkeyProblems,
  rules,
  personalData,
  perishable,
  schema: ['api/identity/passkeys/schema.sql'],
} satisfies Module
