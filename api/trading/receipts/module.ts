import { sql } from 'kysely'
import type { Module } from '../../module.ts'
import { type PersonalData, urnText } from '../../platform/db/personalDataRule.ts'

const personalData: PersonalData = {
  tables: {
    'market.receipts': {
      kept: {
        because: 'It was signed for both sides, and stays verifiable.',
        columns: ['document', 'key_id', 'signature'],
      },
      plain: ['id', 'order_id', 'disputed', 'finalized_at', 'audit_id', 'created_at'],
    },
  },
  sections: [
    {
      name: 'receipts',
      rows: (person) => sql`
        select receipt.id, jsonb_build_object('urn', ${urnText('receipt', 'receipt.id')}, 'document', receipt.document,
          'key_id', receipt.key_id, 'signature', receipt.signature) as document
        from market.orders traded join market.receipts receipt on receipt.order_id = traded.id
        where traded.buyer_id in ${person.agents} or traded.seller_id in ${person.agents}`,
    },
  ],
}

/** What the service knows through this folder. */
export const receipts = { personalData, schema: ['api/trading/receipts/schema.sql'] } satisfies Module
