import { sql } from 'kysely'
import type { Module, Perishable } from '../../module.ts'
import { isOwn, type PersonalData, timeText, urnText } from '../../platform/db/personalDataRule.ts'

const HOUR = 3_600
const DAY = 86_400

const personalData: PersonalData = {
  tables: {
    'market.sessions': {
      deleted: { rows: isOwn('human_id'), columns: ['seen_at', 'passkey_id'] },
      plain: ['id', 'human_id', 'secret_hash', 'created_at', 'expires_at', 'revoked_at'],
    },
  },
  sections: [
    {
      name: 'sessions',
      rows: (person) => sql`
        select id, jsonb_build_object('urn', ${urnText('session', 'id')}, 'created_at', ${timeText('created_at')},
          'seen_at', ${timeText('seen_at')}, 'expires_at', ${timeText('expires_at')},
          'revoked_at', ${timeText('revoked_at')}) as document
        from market.sessions where human_id = ${person.id}`,
    },
  ],
}

const rules = {
  /** The maximum lifetime of a session, and its maximum idle time. */
  sessionSeconds: 7 * DAY,
  sessionIdleSeconds: 12 * HOUR,
}

const perishable: readonly Perishable[] = [{ table: 'market.sessions', key: ['id'], end: 'expires_at' }]

/** What the service knows through this folder. */
export const sessions = {
  rules,
  personalData,
  perishable,
  schema: ['api/identity/sessions/schema.sql'],
} satisfies Module
