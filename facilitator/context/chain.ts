import type { Logger } from 'pino'
import type { Address, Hex, LocalAccount, PublicClient } from 'viem'
import type { Reserve } from '../../protocol/environment/environment.ts'
import type { PublicKeyJwk } from '../../protocol/keys/signing.ts'
import type { TokenDomain } from '../../protocol/payments/authorization.ts'
import type { Call } from './decision.ts'

/** The contracts and the wallet that the facilitator uses. */
export interface Location {
  chainId: number
  escrow: Address
  token: Address
  hotWallet: Address
  /** No earlier block contains an event of our contract or wallets. */
  startBlock: bigint
}

/** Limits that no intent can exceed. Fees in wei. */
export interface Limits {
  maxPayoutMicros: bigint
  dailyPayoutMicros: bigint
  maxGas: bigint
  maxFeePerGas: bigint
  minGasBalance: bigint
  /** Wei that one owner's payments may cost in 24 hours, and those of a new owner. */
  dailyFundingWei: bigint
  newOwnerFundingWei: bigint
  /** The largest deposit that may name no seller: stock x402 clients draw their nonces. */
  x402MaxMicros: bigint
  /**
   * The most that is distributed without proof in 24 hours: once to payers, and once to sellers.
   * Distributions beyond it wait.
   */
  unprovedDailyMicros: bigint
  releaseDelaySeconds: bigint
  /**
   * The least fee of an appeal, or the price if that is less: with a smaller payment no verdict ceases to be
   * a proof.
   */
  minAppealFeeMicros: bigint
}

/** A block; its time is in unix seconds. */
export interface Block {
  number: bigint
  hash: Hex
  timestamp: bigint
}

/** A second node, which vouches for the times of blocks. */
export interface Witness {
  /** Throws HeadRefused if the node has another time for one of these blocks. */
  vouch: (blocks: readonly [newest: Block, confirmed: Block]) => Promise<void>
}

/** What a facilitator needs once its chain is verified, before it holds the lease of its keys. */
export interface ChainContext {
  client: PublicClient
  /** A second, independent node, if one is configured. */
  witness: Witness | undefined
  at: Location
  domain: TokenDomain
  /** The host of the service's public address, which wallets name when they are bound. */
  domainName: string
  confirmations: number
  /** The only factories that are called to deploy a payer's wallet (ERC-6492). */
  walletFactories: readonly Address[]
  limits: Limits
  /** The keys of verdicts that count as proof. Set by our own configuration only. */
  verdictKeys: readonly PublicKeyJwk[]
  /** Where the hot wallet's surplus goes. Set by our own configuration only: no intent names it. */
  reserve: Reserve | undefined
  hotWallet: LocalAccount
  gasBook: GasBook
  log: Logger
}

/** The gas that calls of each function have needed: a call that succeeds with it needs no own estimate. */
export interface GasBook {
  usual: (call: Call) => bigint | undefined
  learn: (call: Call, gas: bigint) => void
}
