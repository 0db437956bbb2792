import { sql } from 'kysely'
import type { PersonalData } from '../../db/personalDataRule.ts'

const MINUTE = 60
const DAY = 86_400

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

export const httpRules = {
  /** How long a write can be repeated with its Idempotency-Key. */
  idempotencySeconds: DAY,
  /**
   * The length of a rate-limit window, and how many requests it allows: per account, and per address without
   * a token.
   */
  rateWindowSeconds: MINUTE,
  maxReads: 3_000,
  maxWrites: 600,
  maxAnonymous: 1_200,
}
