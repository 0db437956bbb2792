import { z } from 'zod'
import type { Module } from '../../module.ts'
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

const personalData: PersonalData = {
  tables: {
    'market.sweep_checkpoints': { plain: ['block_number', 'block_hash', 'open_blocks'] },
  },
}

/** What the service knows through this folder. */
export const settlement = {
  events: settlementEvents,
  personalData,
  schema: ['api/payments/settlement/schema.sql'],
} satisfies Module
