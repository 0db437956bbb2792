import type { Generated } from 'kysely'
import type { MaybeTime, Time } from './columns.ts'

interface Payouts {
  id: string
  order_id: string | null
  agent_id: string | null
  human_id: string | null
  leg: 'payee' | 'payer'
  state: 'pending' | 'blocked' | 'submitted' | 'confirmed' | 'failed'
  amount_micros: bigint
  to_address: string | null
  deposit_from: string
  deposit_nonce: string
  nonce: string
  attempt: Generated<number>
  tx_hash: string | null
  reason: string | null
  created_at: Time
  submitted_at: MaybeTime
  parked_at: MaybeTime
  wallet_id: string | null
  confirmed_at: MaybeTime
}

interface Sweeps {
  sequence: bigint
  nonce: string
  state: 'requested' | 'failed' | 'confirmed'
  amount_micros: bigint
  attempt: Generated<number>
  reason: string | null
  tx_hash: string | null
  requested_at: Time
  confirmed_at: MaybeTime
}

interface HotWallet {
  singleton: Generated<boolean>
  block_number: bigint
  balance_micros: bigint
  due_micros: bigint
  below_floor_since: MaybeTime
  observed_at: Time
}

interface PayoutStops {
  id: string
  place: Generated<'hot_wallet' | 'escrow'>
  fact: string | null
  reason: string
  raised_by: string
  raised_at: Time
  lifted_by: string | null
  lifted_at: MaybeTime
  explanation: string | null
  explained_by: string | null
  explained_at: MaybeTime
}

export interface PayoutsTables {
  'market.payouts': Payouts
  'market.payout_stops': PayoutStops
  'market.sweeps': Sweeps
  'market.hot_wallet': HotWallet
}
