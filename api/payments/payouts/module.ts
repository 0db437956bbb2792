import { sql } from 'kysely'
import { z } from 'zod'
import type { Module } from '../../module.ts'
import { amountText, ON_CHAIN, type PersonalData, timeText, urnText } from '../../platform/db/personalDataRule.ts'
import { amountIn, defineEvents, urnIn } from '../../platform/events/eventType.ts'
import { payoutProblems } from './problems.ts'

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
    tells: { title: 'A payout to you waits for a wallet' },
  },
  'payout.executed': {
    when: 'The payout is confirmed on chain.',
    payload: aboutPayout,
    isSpecified: true,
    tells: { title: 'A payout to you was made' },
  },
  'payout.failed': {
    when: 'The payout failed, or the chain made it unnecessary.',
    payload: aboutPayout,
    isSpecified: true,
    tells: { title: 'A payout to you failed' },
  },
  'payout.reopened': {
    when: 'The owner had a failed payout sent again, to another wallet.',
    payload: aboutPayout.extend({ wallet_urn: urnIn('wallet'), attempt: z.int() }),
  },
  'payout.wallet_unproved': {
    when: 'The facilitator does not know a wallet as yours, so payouts to you may take longer. reason wallets_disputed: no earlier wallet of yours handed it over.',
    payload: z.object({ wallet_urn: urnIn('wallet'), reason: z.string() }),
    tells: { title: 'Confirm which wallet is yours' },
  },
})

const personalData: PersonalData = {
  tables: {
    'market.payouts': {
      kept: { because: ON_CHAIN, columns: ['to_address', 'deposit_from', 'deposit_nonce', 'nonce', 'tx_hash'] },
      plain: [
        ...['id', 'order_id', 'agent_id', 'human_id', 'leg', 'state', 'amount_micros', 'attempt', 'reason'],
        ...['created_at', 'submitted_at', 'parked_at', 'wallet_id', 'confirmed_at'],
      ],
    },
  },
  sections: [
    {
      name: 'payouts',
      rows: (person) => sql`
        select id, jsonb_build_object('urn', ${urnText('payout', 'id')}, 'order_urn', ${urnText('order', 'order_id')},
          'state', state, 'leg', leg, 'amount', ${amountText('amount_micros')}, 'to_address', to_address, 'tx_hash', tx_hash,
          'created_at', ${timeText('created_at')}, 'confirmed_at', ${timeText('confirmed_at')}) as document
        from market.payouts where human_id = ${person.id}`,
    },
  ],
}

const rules = {
  /** The most that is paid to sellers out of custody in any 24 hours. */
  dailyPayoutMicros: 100_000_000_000n,
}

/** What the service knows through this folder. */
export const payouts = {
  events: payoutEvents,
  problems: payoutProblems,
  rules,
  personalData,
  schema: ['api/payments/payouts/schema.sql'],
} satisfies Module
