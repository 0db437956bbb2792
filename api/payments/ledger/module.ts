import type { Module } from '../../module.ts'
import { ON_CHAIN, type PersonalData } from '../../platform/db/personalDataRule.ts'

const personalData: PersonalData = {
  tables: {
    'ledger.accounts': {
      kept: { because: ON_CHAIN, columns: ['owner_id'] },
      plain: ['id', 'asset', 'kind', 'owner_type', 'balance'],
    },
    'ledger.transfers': {
      kept: { because: ON_CHAIN, columns: ['key', 'evidence'] },
      plain: ['id', 'act', 'kind', 'order_id', 'created_at'],
    },
    'ledger.entries': { plain: ['id', 'transfer_id', 'account_id', 'amount', 'balance_after', 'created_at'] },
    'ledger.transfer_digests': { plain: ['transfer_id', 'digest'] },
    'ledger.snapshots': { plain: ['account_id', 'through', 'balance', 'last_entry_id'] },
    'ledger.snapshot_progress': {
      plain: ['singleton', 'turn', 'scanned', 'moment', 'writers', 'newest', 'verified_account', 'verified_through'],
    },
    'ledger.account_kinds': { plain: ['kind', 'normal_side', 'is_append_only', 'owner_types'] },
  },
}

/** What the service knows through this folder. */
export const ledger = { personalData, schema: ['api/payments/ledger/schema.sql'] } satisfies Module
