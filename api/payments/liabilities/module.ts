import { sql } from 'kysely'
import type { Module } from '../../module.ts'
import { amountText, type PersonalData } from '../../platform/db/personalDataRule.ts'

const HOUR = 3_600

const personalData: PersonalData = {
  tables: {
    'market.liabilities': {
      plain: ['block_number', 'document', 'key_id', 'signature', 'has_tree', 'created_at'],
    },
    // Without its salt, the hash in the tree does not reveal its owner. The nodes stay, because the paths of
    // other owners need them.
    'market.liability_leaves': {
      emptied: ['salt', 'amount', 'position'],
      plain: ['block_number', 'account_id'],
    },
    'market.liability_nodes': { plain: ['block_number', 'level', 'page', 'nodes'] },
  },
  sections: [
    {
      name: 'liabilities',
      rows: (person) => sql`
        select leaf.block_number::text as id, jsonb_build_object('block_number', leaf.block_number,
          'account', account.kind || ':' || ledger.owner_name(account.owner_type, account.owner_id), 'amount', ${amountText('leaf.amount')},
          'salt', encode(leaf.salt, 'hex'), 'position', leaf.position, 'root', tree.document->>'root') as document
        from ledger.accounts account
        join market.liabilities tree on tree.has_tree
        join market.liability_leaves leaf on leaf.block_number = tree.block_number and leaf.account_id = account.id
        where account.owner_type = 'human' and account.owner_id = ${person.id}::text`,
    },
  ],
}

const rules = {
  /**
   * How often the liabilities of custody are published, and for how many publications the proof paths are
   * kept.
   */
  liabilitySeconds: HOUR,
  liabilityTreesKept: 48,
}

/** What the service knows through this folder. */
export const liabilities = { rules, personalData, schema: ['api/payments/liabilities/schema.sql'] } satisfies Module
