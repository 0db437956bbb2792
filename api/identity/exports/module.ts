import { sql } from 'kysely'
import type { Module } from '../../module.ts'
import { isOwn, type PersonalData } from '../../platform/db/personalDataRule.ts'
import { exportProblems } from './problems.ts'

const DAY = 86_400

const personalData: PersonalData = {
  tables: {
    'market.export_chunks': {
      deleted: {
        rows: (person) => sql`export_id in (select id from market.exports where human_id = ${person.id})`,
        columns: ['bytes'],
      },
      plain: ['export_id', 'sequence', 'blob_id'],
    },
    'market.exports': {
      deleted: { rows: isOwn('human_id'), columns: ['sha256', 'size_bytes', 'after_id'] },
      plain: ['id', 'human_id', 'state', 'next_section', 'chunks', 'created_at', 'finished_at', 'expires_at'],
    },
  },
}

const rules = {
  /** How long a finished export is kept. */
  exportSeconds: DAY,
}

/** What the service knows through this folder. */
export const exports = {
  problems: exportProblems,
  rules,
  personalData,
  schema: ['api/identity/exports/schema.sql'],
} satisfies Module
