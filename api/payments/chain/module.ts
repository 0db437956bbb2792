import type { Module } from '../../module.ts'
import { ON_CHAIN, type PersonalData } from '../../platform/db/personalDataRule.ts'
import { chainProblems } from './problems.ts'

const personalData: PersonalData = {
  tables: {
    'market.intents': {
      kept: { because: ON_CHAIN, columns: ['key', 'payload'] },
      plain: ['id', 'attempt', 'kind', 'order_id', 'owner_id', 'created_at', 'closed_at', 'closing', 'traceparent'],
    },
    'market.processed_chain_events': {
      kept: { because: ON_CHAIN, columns: ['key', 'tx_hash', 'event_arguments'] },
      plain: ['kind', 'block_number', 'block_hash', 'log_index', 'settled_at', 'vanished_at', 'times_vanished'],
    },
    'market.chain_progress': {
      plain: ['singleton', 'block_number', 'block_hash', 'database_epoch', 'pass', 'settled_at'],
    },
  },
}

/** What the service knows through this folder. */
export const chain = {
  problems: chainProblems,
  personalData,
  schema: ['api/payments/chain/schema.sql'],
} satisfies Module
