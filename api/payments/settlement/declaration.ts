import { z } from 'zod'
import type { PersonalData } from '../../platform/db/personalDataRule.ts'
import { amountIn, defineEvents } from '../../platform/events/eventType.ts'

export const settlementEvents = defineEvents({
  'loss.booked': {
    when: 'To operators: an explained loss was booked.',
    payload: z.object({
      fact: z.string(),
      place: z.enum(['escrow', 'hot_wallet']),
      amount: amountIn,
      tx_hash: z.string(),
    }),
  },
})

export const settlementPersonalData: PersonalData = {
  tables: {
    'market.sweep_checkpoints': { plain: ['block_number', 'block_hash', 'open_blocks'] },
  },
}
