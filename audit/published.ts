import type { Hex } from 'viem'
import type { PublicKeyJwk } from '../protocol/keys/signing.ts'
import type { SignedLiabilities } from '../protocol/liabilities/liabilities.ts'
import type { PayoutReceipt } from '../protocol/payments/payoutReceipt.ts'
import type { SignedReceipt } from '../protocol/records/receipt.ts'
import type { ColdWallet } from './coldWallets.ts'
import type { ToldFees } from './fees.ts'
import type { EscrowBuild } from './immutables.ts'
import type { ToldBalances } from './liabilities.ts'
import type { PayeeRules } from './payees.ts'
import type { Finding } from './report.ts'

/** A record that cannot be read: its name in findings, and a sentence about the error. */
export type Malformed = Omit<Finding, 'code'>

/** The auditor's inputs besides the chain: all optional, none trusted. */
export interface Published {
  fees: ToldFees
  keys: readonly PublicKeyJwk[]
  receipts: readonly SignedReceipt[]
  /** Payout receipts that owners were given. */
  payouts?: readonly PayoutReceipt[]
  /** The rules for checking the payees of those receipts. */
  payees?: PayeeRules
  /** Signed roots of all liabilities. */
  liabilities?: readonly SignedLiabilities[]
  /** Balances in those trees that owners were given. */
  balances?: readonly ToldBalances[]
  /** Names of paginated inputs whose last page is missing. */
  cutOff?: readonly string[]
  /** Inputs that could not be parsed. */
  malformed?: readonly Malformed[]
  /** Wallets beside the hot wallet that hold custody money. */
  coldWallets?: readonly ColdWallet[]
  /** The keys of appeals whose fee was paid. */
  appeals?: readonly Hex[]
  /** How often a root is published, in seconds; an hour by default. */
  liabilitySeconds?: number
  /** The compiled sources of the contract. */
  build?: EscrowBuild
}
