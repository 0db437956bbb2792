import type { PersonalData } from '../platform/db/personalDataRule.ts'

export const healthPersonalData: PersonalData = {
  tables: {
    'market.worker_heartbeat': { plain: ['singleton', 'beat_at'] },
  },
}
