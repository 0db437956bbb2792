import type { Generated, GeneratedAlways } from 'kysely'
import type { Json, MaybeDay, MaybeTime, Time } from './columns.ts'

interface AppealFees {
  id: string
  dispute_id: string
  order_id: string
  party: 'buyer' | 'seller'
  agent_id: string
  state: 'offered' | 'lapsed' | 'held' | 'kept' | 'returned'
  amount_micros: bigint
  recipient: string
  nonce: string
  valid_after: Date
  valid_before: Date
  payer: string | null
  deposit_tx: string | null
  offered_at: Time
  paid_at: MaybeTime
  ended_at: MaybeTime
}

interface Authorizations {
  id: string
  order_id: string | null
  appeal_fee_id: string | null
  state: 'pending' | 'settled' | 'failed'
  payer: string
  nonce: string
  amount_micros: bigint
  valid_after: Date
  valid_before: Date
  signature: string
  attempt: Generated<number>
  failure: string | null
  spending_id: Generated<string | null>
  spending_day: MaybeDay
  created_at: Time
}

interface Deposits {
  payment_key: GeneratedAlways<string>
  payer: string
  nonce: string
  amount_micros: bigint
  tx_hash: string
  payee_payout_nonce: string
  payer_payout_nonce: string
  created_at: Time
}

interface Holds {
  id: string
  order_id: string
  status: 'held' | 'released'
  payer: string
  amount_micros: bigint
  deposit_nonce: string
  deposit_tx: string
  hold_key: string | null
  released_payer_micros: bigint | null
  released_payee_micros: bigint | null
  released_fee_micros: bigint | null
  release_tx: string | null
  settled_at: MaybeTime
  release_evidence: Json<Record<string, unknown> | null>
  created_at: Time
}

interface SettlementApprovals {
  order_id: string
  party: 'payer' | 'payee'
  refund_micros: bigint
  wallet: string
  valid_before: bigint
  signature: string
  created_at: Time
}

interface UnmatchedPayments {
  key: string
  kind: 'hold' | 'escrow_payment' | 'wallet_payment' | 'transfer'
  status: 'waiting' | 'adopting' | 'matched' | 'returning' | 'returned' | 'suspense'
  order_id: string | null
  payer: string
  nonce: string | null
  amount_micros: bigint
  tx_hash: string
  terms: Json<Record<string, unknown> | null>
  created_at: Time
  adoptable_at: MaybeTime
}

interface ProcessedChainEvents {
  key: string
  kind: string
  block_number: bigint
  block_hash: string
  tx_hash: string
  log_index: number
  settled_at: Time
  claims: Json<Record<string, unknown> | null>
  vanished_at: MaybeTime
  times_vanished: Generated<number>
}

export interface PaymentsTables {
  'market.appeal_fees': AppealFees
  'market.authorizations': Authorizations
  'market.deposits': Deposits
  'market.holds': Holds
  'market.settlement_approvals': SettlementApprovals
  'market.unmatched_payments': UnmatchedPayments
  'market.processed_chain_events': ProcessedChainEvents
}
