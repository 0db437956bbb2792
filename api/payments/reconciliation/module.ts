import type { Module } from '../../module.ts'
import type { PersonalData } from '../../platform/db/personalDataRule.ts'

const personalData: PersonalData = {
  tables: {
    'market.reconciliations': {
      kept: { because: 'An account that does not fit the chain is named here for an hour.', columns: ['findings'] },
      plain: [
        ...[
          'id',
          'checked_at',
          'database_epoch',
          'block_number',
          'block_hash',
          'lag_blocks',
          'lag_seconds',
          'is_ok',
          'figures',
        ],
        ...[
          'differs_since_head',
          'shortages',
          'log_epoch',
          'log_place',
          'below',
          'account_cursor',
          'transfer_cursor',
          'swept_at',
          'seal',
        ],
      ],
    },
  },
}

/** What the service knows through this folder. */
export const reconciliation = { personalData, schema: ['api/payments/reconciliation/schema.sql'] } satisfies Module
