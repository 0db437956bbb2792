import { z } from 'zod'
import { amountIn, defineEvents, urnIn } from '../../platform/events/eventType.ts'

const aboutPayout = z.object({
  payout_urn: urnIn('payout'),
  order_urn: urnIn('order').optional(),
  state: z.enum(['blocked', 'pending', 'submitted', 'confirmed', 'failed']),
  amount: amountIn,
  tx_hash: z.string().optional(),
})

export const payoutEvents = defineEvents({
  'payout.blocked': {
    when: 'The payout waits until its owner verifies a wallet.',
    payload: aboutPayout,
    isSpecified: true,
  },
  'payout.executed': { when: 'The payout is confirmed on chain.', payload: aboutPayout, isSpecified: true },
  'payout.failed': {
    when: 'The payout failed, or was made superfluous by what the chain shows.',
    payload: aboutPayout,
    isSpecified: true,
  },
  'payout.reopened': {
    when: 'The owner had a failed payout sent again, to another wallet.',
    payload: aboutPayout.extend({ wallet_urn: urnIn('wallet'), attempt: z.int() }),
  },
})
