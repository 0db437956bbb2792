import { sql } from 'kysely'
import type { Module, Perishable } from '../../../module.ts'
import type { PersonalData } from '../../db/personalDataRule.ts'
import { httpProblems } from './problems.ts'

const MINUTE = 60
const DAY = 86_400

const personalData: PersonalData = {
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

const rules = {
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

const perishable: readonly Perishable[] = [
  { table: 'limits.windows', key: ['subject', 'policy'], end: 'resets_at' },
  {
    table: 'market.idempotent_answers',
    key: ['scope', 'operation', 'key'],
    end: 'created_at',
    keptSeconds: ({ idempotencySeconds }) => idempotencySeconds,
  },
]

/** What the service knows through this folder. */
export const http = {
  problems: httpProblems,
  rules,
  personalData,
  perishable,
  schema: ['api/platform/http/serve/schema.sql', 'api/platform/http/serve/limits.sql'],
} satisfies Module
