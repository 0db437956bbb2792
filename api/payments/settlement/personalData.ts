import type { PersonalData } from '../../platform/db/personalDataRule.ts'

export const settlementPersonalData: PersonalData = {
  tables: {
    'market.sweep_checkpoints': { plain: ['block_number', 'block_hash', 'open_blocks'] },
  },
}
