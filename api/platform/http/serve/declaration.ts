import { sql } from 'kysely'
import type { PersonalData } from '../../db/personalDataRule.ts'

export const answerPersonalData: PersonalData = {
  tables: {
    'market.idempotent_answers': {
      deleted: {
        rows: (person) => sql`scope = ${person.id} or scope in (select id::text from ${person.agents} as agent (id))`,
        columns: ['key', 'fingerprint', 'headers', 'body'],
      },
      plain: ['scope', 'operation', 'token_id', 'status', 'is_sealed', 'created_at'],
    },
  },
}
