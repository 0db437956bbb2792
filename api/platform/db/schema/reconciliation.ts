import type { Generated } from 'kysely'
import type { Json, Time } from './columns.ts'

/** One discrepancy. Its code names the kind, its subject the place; amounts are micro-units as text. */
export interface ReconciliationFinding {
  code:
    | 'ledger/unbalanced'
    | 'ledger/account'
    | 'ledger/transfer'
    | 'escrow/balance'
    | 'escrow/owed'
    | 'wallet/balance'
    | 'hold/terms'
    | 'hold/order'
    | 'hold/split'
    | 'hold/state'
    | 'receipt/differs'
    | 'payout/owed'
    | 'payout/differs'
    | 'claimable/chain'
  /** An address, or an account's owner. */
  subject: string
  booked: string
  expected: string
  /** The id of the account. It is checked again in the next comparison. */
  account?: string
  /** The id of the transfer, likewise. */
  transfer?: string
}

/**
 * A shortage, in micro-units as text. `alarmed`: the amount that was already reported. `pending`: the larger amount
 * that has been missing ever since the newest block was `head`.
 */
export interface KnownShortage {
  alarmed: string
  pending: { micros: string; head: string } | null
}

interface ChainProgress {
  singleton: Generated<boolean>
  block_number: bigint
  block_hash: string
  database_epoch: string
  settled_at: Time
}

interface SweepCheckpoints {
  block_number: bigint
  block_hash: string
  open_blocks: bigint[]
}

interface Reconciliations {
  id: Generated<bigint>
  checked_at: Time
  database_epoch: string
  block_number: bigint
  block_hash: string
  lag_blocks: bigint
  lag_seconds: bigint
  is_ok: boolean
  figures: Json<Record<'booked' | 'seen', Record<'escrowMicros' | 'owedMicros' | 'walletMicros', string>>>
  findings: Json<ReconciliationFinding[]>
  differs_since_head: bigint | null
  shortages: Json<Partial<Record<'hot_wallet' | 'escrow', KnownShortage>>>
  system_identifier: bigint
  horizon: string
  below: Json<Record<string, string>>
  account_cursor: bigint
  transfer_cursor: Generated<bigint>
  swept_at: Date
}

export interface ReconciliationTables {
  'market.chain_progress': ChainProgress
  'market.sweep_checkpoints': SweepCheckpoints
  'market.reconciliations': Reconciliations
}
