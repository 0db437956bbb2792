import type { FeeRate } from '../../../protocol/payments/fees.ts'
import type { Module } from '../../module.ts'
import { ON_CHAIN, type PersonalData } from '../../platform/db/personalDataRule.ts'

const DAY = 86_400

const personalData: PersonalData = {
  tables: {
    'market.authorizations': {
      // Of an authorization that was never used: it is on no chain.
      emptied: ['payer', 'signature', 'nonce'],
      kept: { because: ON_CHAIN, columns: ['payer', 'signature', 'nonce'] },
      plain: [
        'id',
        'order_id',
        'appeal_fee_id',
        'state',
        'amount_micros',
        'valid_after',
        'valid_before',
        'attempt',
        'failure',
        'spending_id',
        'spending_day',
        'created_at',
      ],
    },
    'market.deposits': {
      kept: {
        because: ON_CHAIN,
        columns: ['payer', 'nonce', 'tx_hash', 'payee_payout_nonce', 'payer_payout_nonce', 'payment_key'],
      },
      plain: ['amount_micros', 'created_at'],
    },
    'market.holds': {
      kept: {
        because: ON_CHAIN,
        columns: ['payer', 'deposit_nonce', 'deposit_tx', 'hold_key', 'release_tx', 'release_evidence'],
      },
      plain: [
        ...['id', 'order_id', 'status', 'amount_micros', 'released_payer_micros', 'released_payee_micros'],
        ...['released_fee_micros', 'settled_at', 'created_at'],
      ],
    },
    'market.settlement_approvals': {
      kept: { because: ON_CHAIN, columns: ['wallet', 'signature', 'payee'] },
      plain: ['order_id', 'party', 'refund_micros', 'valid_before', 'created_at'],
    },
    'market.unmatched_payments': {
      kept: { because: ON_CHAIN, columns: ['key', 'payer', 'nonce', 'tx_hash', 'terms'] },
      plain: ['kind', 'status', 'order_id', 'amount_micros', 'created_at', 'adoptable_at'],
    },
  },
}

const rules = {
  /**
   * The fee history. Past rates must stay, because receipts are checked against them; a new rate is appended
   * with the instant it takes effect.
   */
  fees: [{ from: new Date(0), feeBps: 500 }] as readonly FeeRate[],
  /**
   * How long the contract keeps a hold before its payer can reclaim it, and how much of that is left for
   * settlement.
   */
  holdSeconds: 200 * DAY,
  settlementMarginSeconds: 30 * DAY,
  /**
   * A stray payment below this amount is not returned, because returning it would cost more than it is worth.
   */
  minStrayReturnMicros: 100_000n,
}

/** What the service knows through this folder. */
export const escrow = { rules, personalData, schema: ['api/payments/escrow/schema.sql'] } satisfies Module
