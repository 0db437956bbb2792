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
  payouts: { checked: number }
  liabilities: { roots: number; balances: number }
  /** Sentences about what could not be checked. */
  notChecked: readonly string[]
  findings: Finding[]
}
