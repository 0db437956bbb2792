import type { ProblemTypes } from '../errors.ts'
import type { PersonalData } from '../platform/db/personalDataRule.ts'

export const healthPersonalData: PersonalData = {
  tables: {
    'market.worker_heartbeat': { plain: ['singleton', 'beat_at'] },
  },
}

export const healthProblems = {
  'service/not-ready': { status: 503, title: 'The service is not ready' },
} as const satisfies ProblemTypes
