import { sql } from 'kysely'
import {
  amountText,
  isAgents,
  NOTHING,
  ON_CHAIN,
  type PersonalData,
  timeText,
  urnText,
} from '../../../platform/db/personalDataRule.ts'

export const orderPersonalData: PersonalData = {
  tables: {
    'market.orders': {
      overwritten: { rows: isAgents('buyer_id'), columns: { reason: NOTHING } },
      kept: { because: ON_CHAIN, columns: ['payee', 'recipient', 'fee_recipient', 'nonce', 'order_key'] },
      plain: [
        ...['id', 'state', 'buyer_id', 'seller_id', 'ask_id', 'ask_version', 'escrow_mode', 'price_micros', 'fee_bps'],
        'seller_owner_id',
        ...['bid_id', 'quote_id'],
        ...['sla_seconds', 'auto_accept_seconds', 'valid_after', 'valid_before', 'expires_at', 'request_hash'],
        ...[
          'thread_id',
          'receipt_id',
          'dispute_id',
          'deliveries',
          'placed_at',
          'placement_entry',
          'funded_at',
          'sla_due_at',
          'sla_breached_at',
        ],
        ...['delivered_at', 'accept_by', 'redeliver_by', 'closed_at', 'suspended_at'],
        ...['updated_at', 'receipt_privacy', 'sealed', 'buyer_keys_id', 'seller_keys_id'],
      ],
    },
  },
  sections: [
    {
      name: 'orders',
      rows: (person) => sql`
        select id, jsonb_build_object('urn', ${urnText('order', 'id')}, 'state', state,
          'buyer_urn', ${urnText('agent', 'buyer_id')}, 'seller_urn', ${urnText('agent', 'seller_id')},
          'ask_urn', ${urnText('ask', 'ask_id')}, 'ask_version', ask_version, 'bid_urn', ${urnText('bid', 'bid_id')},
          'quote_urn', ${urnText('quote', 'quote_id')}, 'escrow_mode', escrow_mode,
          'price', ${amountText('price_micros')}, 'recipient', recipient, 'nonce', nonce, 'reason', reason,
          'placed_at', ${timeText('placed_at')}, 'funded_at', ${timeText('funded_at')}, 'delivered_at', ${timeText('delivered_at')},
          'closed_at', ${timeText('closed_at')}) as document
        from market.orders
        where buyer_id in ${person.agents} or seller_id in ${person.agents}`,
    },
  ],
}
