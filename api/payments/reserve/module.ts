import { z } from 'zod'
import type { Module } from '../../module.ts'
import type { PersonalData } from '../../platform/db/personalDataRule.ts'
import { amountIn, defineEvents } from '../../platform/events/eventType.ts'

const payload = z.object({ hot_wallet: z.string(), balance: amountIn, due: amountIn, floor: amountIn })

export const reserveEvents = defineEvents({
  'hot_wallet.below_floor': { when: 'To operators: the hot wallet fell below its floor.', payload },
  'hot_wallet.above_floor': { when: 'To operators: the hot wallet is above its floor again.', payload },
})

const personalData: PersonalData = {
  tables: {
    'market.sweeps': {
      plain: [
        ...['sequence', 'nonce', 'state', 'amount_micros', 'attempt', 'reason', 'tx_hash'],
        ...['requested_at', 'confirmed_at'],
      ],
    },
    'market.hot_wallet': {
      plain: ['singleton', 'block_number', 'balance_micros', 'due_micros', 'below_floor_since', 'observed_at'],
    },
  },
}

const rules = {
  /** Below this balance an alarm reports that the hot wallet may run out of gas money. */
  hotWalletFloorMicros: 0n,
}

/** What the service knows through this folder. */
export const reserve = {
  events: reserveEvents,
  rules,
  personalData,
  schema: ['api/payments/reserve/schema.sql'],
} satisfies Module
