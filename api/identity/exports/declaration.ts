import { sql } from 'kysely'
import { isOwn, type PersonalData } from '../../platform/db/personalDataRule.ts'

const DAY = 86_400

export const exportPersonalData: PersonalData = {
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

export const exportRules = {
  /** How long a finished export is kept. */
  exportSeconds: DAY,
}
