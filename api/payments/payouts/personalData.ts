import { sql } from 'kysely'
import { amountText, ON_CHAIN, type PersonalData, timeText, urnText } from '../../platform/db/personalDataRule.ts'

export const payoutPersonalData: PersonalData = {
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
