import type { Address, Hex } from 'viem'

/** Something that should not be: a stable code, what it is about, and a sentence for the auditor. */
export interface Finding {
  code: string
  subject: string
  detail: string
}

/** Sums of one escrow mode, in micro-units, all of them derived from chain events. */
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

/** What an audit answers. `ok` is true only when nothing was found. */
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
  /** Sentences: what nothing was found about because it could not be looked at. */
  notChecked: readonly string[]
  findings: Finding[]
}
