import type { PersonalData } from '../../platform/db/personalDataRule.ts'

export const oversightPersonalData: PersonalData = {
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
