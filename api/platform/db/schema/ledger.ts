import type { Generated } from 'kysely'
import type { Json, Time } from './columns.ts'

interface LedgerAccounts {
  id: Generated<bigint>
  asset: string
  kind: string
  owner_type: string
  owner_id: string
  balance: bigint | null
}

interface LedgerTransfers {
  id: Generated<bigint>
  transaction_id: Generated<string>
  key: string
  kind: string
  order_id: string | null
  evidence: Json<Record<string, unknown>>
  created_at: Time
}

interface LedgerEntries {
  id: Generated<bigint>
  transfer_id: bigint
  account_id: bigint
  amount: bigint
  balance_after: bigint | null
  created_at: Time
}

interface LedgerSnapshots {
  account_id: bigint
  through: Date
  balance: bigint
  last_entry_id: bigint
}

export interface LedgerTables {
  'ledger.accounts': LedgerAccounts
  'ledger.transfers': LedgerTransfers
  'ledger.entries': LedgerEntries
  'ledger.snapshots': LedgerSnapshots
}
