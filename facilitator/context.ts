import type { Logger } from 'pino'
import type { Address, Hex, PublicClient } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { TokenDomain } from '../protocol/authorization.ts'
import type { Reserve } from '../protocol/environment.ts'
import type { Batch } from './batch.ts'
import type { GasBudget } from './budget.ts'
import type { Ending } from './decision.ts'
import type { Exclusive } from './exclusive.ts'
import type { GasBook } from './gas.ts'
import type { Head } from './head.ts'
import type { Signers } from './signers.ts'
import type { Outcome, Store } from './store.ts'

/** Which key sends a transaction. The resolver's does what only the resolver may, the submitter's the rest. */
export type SignerRole = 'submitter' | 'resolver'

/** The contracts and the wallet we act on. */
export interface Location {
  chainId: number
  escrow: Address
  token: Address
  hotWallet: Address
  /** Nothing of ours is in an earlier block. */
  startBlock: bigint
}

/** What the facilitator never goes beyond, whatever an intent says. Fees in wei. */
export interface Limits {
  maxPayoutMicros: bigint
  dailyPayoutMicros: bigint
  maxGas: bigint
  maxFeePerGas: bigint
  minGasBalance: bigint
  /** Gas that one owner's payments may use in 24 hours. */
  dailyFundingGas: bigint
}

/** What a facilitator knows while its chain is right, before it is the one that acts. */
export interface ChainContext {
  client: PublicClient
  at: Location
  domain: TokenDomain
  confirmations: number
  /** The only factories that are called to deploy a payer's wallet (ERC-6492). */
  walletFactories: readonly Address[]
  limits: Limits
  /** Where the hot wallet's surplus goes. By our own configuration alone: no intent names it. */
  reserve: Reserve | undefined
  hotWallet: PrivateKeyAccount
  gasBook: GasBook
  log: Logger
}

/** Everything a step needs while this facilitator is the one that acts. */
export interface Facilitator extends ChainContext {
  store: Store
  signers: Signers
  budget: GasBudget
  /** Together with the others that end meanwhile. */
  recordOutcome: Batch<{ intentId: string; outcome: Outcome }, void>
  /** Serialises what is signed for one deposit. */
  exclusive: Exclusive
}

/** One look at the chain that a whole step goes by. */
export interface Pass extends Facilitator {
  head: Head
}

/** A call that one of our keys is to send. */
export interface Call {
  signer: SignerRole
  to: Address
  data: Hex
  /** The chain refuses it from this second on (unix). None: never for that reason. */
  validBefore: bigint | null
  /** Brings money in, for an owner whose gas is counted. */
  isCharged?: boolean
  /** Reverts that say nothing against the intent: it waits, where another would have failed. */
  passing?: readonly string[]
  /** What the chain's state says of the intent where it refuses the call, if it says anything. */
  explain?: () => Promise<Ending | undefined>
}
