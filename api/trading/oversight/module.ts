import type { Module } from '../../module.ts'
import type { PersonalData } from '../../platform/db/personalDataRule.ts'

const personalData: PersonalData = {
  tables: {
    'market.hourly_totals': {
      plain: [
        ...[
          'starts_at',
          'paid_orders',
          'paid_micros',
          'ended_orders',
          'refunded_micros',
          'seller_micros',
          'fee_micros',
        ],
      ],
    },
    'market.totals_progress': { plain: ['singleton', 'through'] },
  },
}

/** What the service knows through this folder. */
export const oversight = { personalData, schema: ['api/trading/oversight/schema.sql'] } satisfies Module
