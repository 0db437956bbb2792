import type { PersonalData } from '../../platform/db/personalDataRule.ts'

export const reservePersonalData: PersonalData = {
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
