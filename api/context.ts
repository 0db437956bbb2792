import type { Address } from 'viem'
import type { Reserve } from '../protocol/environment.ts'
import type { FeeRate } from '../protocol/fees.ts'
import type { Scope } from './db/schema/accounts.ts'

/** Who is calling: a human, or an agent that a human owns. */
export interface Actor {
  humanId: string
  agentId: string | null
  /** Of the token that the call presents, or of the session. */
  tokenId: string
  /** When that token or session ends, if it does. */
  expiresAt: Date | null
  /** There for a call of a browser's that a passkey has let in, with the session's cookie. */
  session: ActorSession | null
  scopes: readonly Scope[]
  isOperator: boolean
  /** The agent that the call acts as goes on with its open orders, and begins nothing. */
  isDeactivated: boolean
  /** The token was replaced by the call that this one may repeat, and is good for nothing else. */
  isRotated: boolean
}

/** A session: begun by a passkey, recently (rules.freshPasskeySeconds) or not. */
export interface ActorSession {
  isFresh: boolean
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
  /** Past ones stay: they are what receipts are held to. Another is added with the instant that it begins at. */
  fees: readonly FeeRate[]
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
  /** How long a session lasts at most, and without being used; how long its passkey counts as fresh. */
  sessionSeconds: number
  sessionIdleSeconds: number
  freshPasskeySeconds: number
  passkeyChallengeSeconds: number
  /** How long an agent's ticket can be exchanged for its first token. */
  ticketSeconds: number
  /** How long a payout wallet that is to be replaced is still paid to: its owner's time to object. */
  payoutWalletDelaySeconds: number
  /** The most gas that one owner's payments may use in any 24 hours. */
  dailyFundingGas: bigint
  /** The most that is sent to sellers out of custody in any 24 hours. */
  dailyPayoutMicros: bigint
  /** Below this an alarm says that the hot wallet may run dry. */
  hotWalletFloorMicros: bigint
  /** How long a finished export is kept. */
  exportSeconds: number
  /** How long a link to a file is good for. */
  linkSeconds: number
  /** How long an invitation to an org waits for its answer. */
  invitationSeconds: number
  /** The largest upload. */
  maxDeliveryBytes: number
  /** How often it is published what custody owes, and of how many of those the paths are kept. */
  liabilitySeconds: number
  liabilityTreesKept: number
  /** How many requests a window of so many seconds has room for: an account's, and an address's without a token. */
  rateWindowSeconds: number
  maxReads: number
  maxWrites: number
  maxAnonymous: number
}

/** Where browsers reach us: configured, never taken from a request. */
export interface WebSettings {
  /** The domain that passkeys are for (WebAuthn's RP ID). */
  rpId: string
  /** The exact origins whose pages may use them, and may write with a session. */
  origins: readonly string[]
  /** Off loopback, cookies travel encrypted alone. */
  isSecure: boolean
}

/** What every verb may know besides its input and its transaction. */
export interface Settings {
  baseUrl: string
  sandbox: boolean
  web: WebSettings
  chain: ChainSettings
  /** Where what the hot wallet holds beyond its ceiling is kept. None: nothing is swept. */
  reserve?: Reserve | undefined
  rules: MarketRules
  /** Ed25519 seed, hex: signs receipts. */
  signingKey: string
  /** Hex key: authenticates cursors and links. */
  secretKey: string
  /** Where uploads are kept: a directory that every API and worker process sees. */
  blobDirectory: string
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
