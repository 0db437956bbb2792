import type { MaybeTime, Time } from './columns.ts'

interface WalletChallenges {
  id: string
  account_id: string
  owner_id: string
  address: string
  message: string
  expires_at: Date
  used_at: MaybeTime
  created_at: Time
}

interface WalletOwners {
  address: string
  owner_id: string
}

interface Wallets {
  id: string
  account_id: string
  owner_id: string
  address: string
  message: string
  signature: string
  verified_at: Time
  payout_from: MaybeTime
  doubtful_since: MaybeTime
}

export interface WalletsTables {
  'market.wallet_challenges': WalletChallenges
  'market.wallet_owners': WalletOwners
  'market.wallets': Wallets
}
