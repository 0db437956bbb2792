import type { Address, Hex } from 'viem'

/** A defect: a stable code, its subject, and a sentence for the auditor. */
export interface Finding {
  code: string
  subject: string
  detail: string
}

/** Sums of one escrow mode in micro-units, all derived from chain events. */
export interface ModeTotals {
  payments: number
  distributed: number
  paidInMicros: bigint
  heldMicros: bigint
  payeeMicros: bigint
  payerMicros: bigint
  feeMicros: bigint
  withdrawnMicros: bigint
  balanceMicros: bigint
}

/**
 * What showed that a receipt's distribution was wanted. `untold`, `elapsed` and `nothing` mean that there is
 * no proof.
 */
export interface ReleaseProof {
  /** The receipt's URN. */
  subject: string
  /**
   * Signatures of the parties that got less than all; a verdict, or one that is not shown; a party's own act
   * on the chain.
   */
  by: 'payer' | 'payee' | 'both' | 'verdict' | 'untold' | 'chain' | 'elapsed' | 'nothing'
  /** The key of the verdict. */
  keyId?: string
}

/** The result of an audit. `ok` is true only when there are no findings. */
export interface AuditReport {
  ok: boolean
  chainId: number
  fromBlock: bigint
  toBlock: bigint
  toBlockHash: Hex
  escrow: Address
  hotWallet: Address
  token: Address
  contract: ModeTotals
  custodied: ModeTotals
  receipts: { checked: number }
  /** One for each receipt whose money has left. */
  proofs: ReleaseProof[]
  /** The transactions of payouts to sellers that the deposits' nonces do not name. */
  unnamedPayouts: Hex[]
  payouts: { checked: number }
  liabilities: { roots: number; balances: number }
  /** Sentences about what could not be checked. */
  notChecked: readonly string[]
  findings: Finding[]
}
