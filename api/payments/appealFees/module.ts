import type { Module } from '../../module.ts'
import { ON_CHAIN, type PersonalData } from '../../platform/db/personalDataRule.ts'

const personalData: PersonalData = {
  tables: {
    'market.appeal_fees': {
      kept: { because: ON_CHAIN, columns: ['recipient', 'nonce', 'payer', 'deposit_tx'] },
      plain: [
        ...[
          'id',
          'dispute_id',
          'order_id',
          'party',
          'agent_id',
          'state',
          'amount_micros',
          'valid_after',
          'valid_before',
        ],
        ...['offered_at', 'paid_at', 'ended_at'],
      ],
    },
  },
}

const rules = {
  /**
   * The fee of an appeal: hundredths of a percent of the price, within these bounds, and never above the
   * price.
   */
  appealFeeBps: 200,
  minAppealFeeMicros: 1_000_000n,
  maxAppealFeeMicros: 25_000_000n,
}

/** What the service knows through this folder. */
export const appealFees = { rules, personalData, schema: ['api/payments/appealFees/schema.sql'] } satisfies Module
