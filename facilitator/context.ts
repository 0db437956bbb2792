import type { Logger } from 'pino'
import type { Address, Hex, PublicClient } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { TokenDomain } from '../protocol/authorization.ts'
import type { Exclusive } from './exclusive.ts'
import type { Head } from './head.ts'
import type { Signer } from './signer.ts'
import type { Store } from './store.ts'

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
  hotWallet: PrivateKeyAccount
  log: Logger
}

/** Everything a step needs while this facilitator is the one that acts. */
export interface Facilitator extends ChainContext {
  store: Store
  signers: Record<SignerRole, Signer>
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
  /** Reverts that say nothing against the intent: it waits, where another would have failed. */
  passing?: readonly string[]
}
