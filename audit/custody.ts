import type { Address, Hex } from 'viem'
import { appealFeeNonce, type PayoutLeg, payoutNonce, type WalletLocation } from '../protocol/payments/nonces.ts'
import { splitHold } from '../protocol/payments/split.ts'
import { type BlockRate, feesAt } from './fees.ts'
import type { History, Transfer } from './history.ts'
import type { Finding } from './report.ts'
import { findRefills, matchSweeps } from './sweeps.ts'

/** A signed payment into the hot wallet, and its payouts. */
export interface Deposit {
  transfer: Transfer
  nonce: Hex
  legs: Partial<Record<PayoutLeg, Transfer>>
  /** Whether it is the fee of an appeal. Once the service keeps it, it is owed to nobody. */
  isAppealFee: boolean
  /** The fees that its order can have, in hundredths of a percent: one, except just after a change. */
  fees: readonly number[]
}

/** The custodied half of the chain's history: deposits with their payouts and results. */
export interface CustodyResult {
  deposits: Deposit[]
  findings: Finding[]
  /** The amount sent to a cold wallet. */
  sweptMicros: bigint
  /** Inflows without an authorization: they belong to no order and are not owed, but count in the balance. */
  unsignedMicros: bigint
}

const LEGS: readonly PayoutLeg[] = ['payee', 'payer']

/** The rules that custody is checked against. */
export interface CustodyRules {
  fees: readonly BlockRate[]
  /** The only addresses that the hot wallet's surplus may go to. */
  coldWallets: readonly Address[]
  /**
   * The keys of the appeals that the service says were paid for. A deposit counts as such a fee if its nonce
   * says so.
   */
  appeals?: readonly Hex[]
}

/**
 * Derives every payout the hot wallet may make from the deposits on chain, and compares it with what left the
 * wallet. Needs no database: a payout's nonce is a hash of the deposit it pays out, and a sweep's is derived
 * from its number.
 */
export function auditCustody(
  history: History,
  at: WalletLocation,
  { fees, coldWallets, appeals = [] }: CustodyRules,
): CustodyResult {
  const refills = findRefills(history.transfers, at, coldWallets)
  const inflows = history.transfers.filter(
    (transfer) => transfer.to === at.hotWallet && transfer.from !== at.hotWallet && !refills.has(transfer),
  )
  const appealNonces = feeNonces(at, appeals)
  const deposits: Deposit[] = []
  for (const transfer of inflows) {
    const { authorizationNonce: nonce, blockNumber } = transfer
    if (!nonce) continue
    const isAppealFee = appealNonces(transfer.amountMicros).has(nonce)
    deposits.push({ transfer, nonce, isAppealFee, legs: {}, fees: feesAt(fees, blockNumber) })
  }
  const unsigned = inflows.filter(({ authorizationNonce }) => !authorizationNonce)
  const { sweeps, findings } = matchSweeps(matchPayouts(history, at, deposits), at, coldWallets)
  for (const deposit of deposits) findings.push(...checkDeposit(deposit))
  return { deposits, findings, sweptMicros: total(sweeps), unsignedMicros: total(unsigned) }
}

/** Returns the nonces that appeal fees of an amount have, computed once per amount. */
function feeNonces(at: WalletLocation, appeals: readonly Hex[]): (amountMicros: bigint) => ReadonlySet<Hex> {
  const known = new Map<bigint, ReadonlySet<Hex>>()
  return (amountMicros) => {
    const nonces = known.get(amountMicros) ?? new Set(appeals.map((key) => appealFeeNonce(at, key, amountMicros)))
    known.set(amountMicros, nonces)
    return nonces
  }
}

function total(transfers: readonly Transfer[]): bigint {
  return transfers.reduce((sum, { amountMicros }) => sum + amountMicros, 0n)
}

/** Records each payout at its deposit. Returns the outflows that are not payouts. */
function matchPayouts(history: History, at: WalletLocation, deposits: Deposit[]): Transfer[] {
  const expected = new Map<Hex, { deposit: Deposit; leg: PayoutLeg }>()
  for (const deposit of deposits) {
    const identity = { from: deposit.transfer.from, nonce: deposit.nonce }
    for (const leg of LEGS) expected.set(payoutNonce(at, identity, leg), { deposit, leg })
  }
  const others: Transfer[] = []
  for (const outflow of history.transfers.filter(({ from }) => from === at.hotWallet)) {
    const match = outflow.authorizationNonce ? expected.get(outflow.authorizationNonce) : undefined
    if (match) match.deposit.legs[match.leg] = outflow
    else others.push(outflow)
  }
  return others
}

function checkDeposit({ transfer, nonce, legs, fees }: Deposit): Finding[] {
  const subject = `${transfer.from}:${nonce}`
  const findings: Finding[] = []
  const refundMicros = legs.payer?.amountMicros ?? 0n
  if (refundMicros > transfer.amountMicros) {
    findings.push({
      code: 'custody/refund-too-large',
      subject,
      detail: `${refundMicros} of ${transfer.amountMicros} was refunded.`,
    })
  } else if (legs.payee) {
    const possible = fees.map((feeBps) => splitHold(transfer.amountMicros, refundMicros, feeBps).payeeMicros)
    if (!possible.includes(legs.payee.amountMicros)) {
      findings.push({
        code: 'custody/wrong-payout',
        subject,
        detail: `The seller was paid ${legs.payee.amountMicros} of ${transfer.amountMicros}; the split is ${possible.join(' or ')}.`,
      })
    }
  }
  return findings
}
