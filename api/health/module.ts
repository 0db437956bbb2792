import type { Module } from '../module.ts'
import type { PersonalData } from '../platform/db/personalDataRule.ts'

const personalData: PersonalData = {
  tables: {
    'market.worker_heartbeat': { plain: ['singleton', 'beat_at'] },
  },
}

/** What the service knows through this folder. */
export const health = { personalData, schema: ['api/health/schema.sql'] } satisfies Module
