import { z } from 'zod'
import { amountIn, defineEvents } from '../../platform/events/eventType.ts'

const payload = z.object({ hot_wallet: z.string(), balance: amountIn, due: amountIn, floor: amountIn })

export const reserveEvents = defineEvents({
  'hot_wallet.below_floor': { when: 'To operators: the hot wallet fell below its floor.', payload },
  'hot_wallet.above_floor': { when: 'To operators: the hot wallet is above its floor again.', payload },
})
