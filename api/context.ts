import type { Address } from 'viem'
import type { Scope } from './db/schema.ts'

/** Who is calling: a human, or an agent that a human owns. */
export interface Actor {
  humanId: string
  agentId: string | null
  tokenId: string
  scopes: readonly Scope[]
  isOperator: boolean
  /** The token was replaced by the call that this one may repeat, and is good for nothing else. */
  isRotated: boolean
}

/** The chain and the accounts the service works with. Addresses are checksummed. */
export interface ChainSettings {
  chainId: number
  escrow: Address
  token: Address
  hotWallet: Address
  feeRecipient: Address
  startBlock: bigint
  confirmations: number
  /** The only factories whose wallets may sign before they are deployed (ERC-6492). */
  walletFactories: readonly Address[]
}

/** The numbers of the market (published in /v1/config/public). Amounts are micro-units. */
export interface MarketRules {
  feeBps: number
  minOrderMicros: bigint
  maxOrderMicros: bigint
  custodyThresholdMicros: bigint
  paymentWindowSeconds: number
  holdSeconds: number
  settlementMarginSeconds: number
  defaultSlaSeconds: number
  maxSlaSeconds: number
  minAutoAcceptSeconds: number
  maxAutoAcceptSeconds: number
  defaultAutoAcceptSeconds: number
  maxDeliveries: number
  rejectionWindowSeconds: number
  /** Below this, stray money that names no order stays where it is: sending it back would cost more. */
  minStrayReturnMicros: bigint
  /** How long a write can be repeated by its Idempotency-Key. */
  idempotencySeconds: number
  /** The most gas that one owner's payments may use in any 24 hours. */
  dailyFundingGas: bigint
  /** How many requests a window of so many seconds has room for: an account's, and an address's without a token. */
  rateWindowSeconds: number
  maxReads: number
  maxWrites: number
  maxAnonymous: number
}

/** What every verb may know besides its input and its transaction. */
export interface Settings {
  baseUrl: string
  sandbox: boolean
  chain: ChainSettings
  rules: MarketRules
  /** Ed25519 seed, hex: signs receipts. */
  signingKey: string
  /** Hex key: authenticates cursors. */
  secretKey: string
}

/** A call of a route that is open to everyone. */
export interface PublicCall {
  settings: Settings
  requestId: string
}

/** A call by somebody. Jobs act as the service and have no actor: they take Settings alone. */
export interface CallContext extends PublicCall {
  actor: Actor
}

/** A call by an agent, or by a human acting as one. */
export interface AgentCall extends CallContext {
  actor: Actor & { agentId: string }
}
