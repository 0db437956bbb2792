import { type Address, getAddress, type Hex, isAddressEqual, type PublicClient } from 'viem'
import { escrowAbi } from '../protocol/generated/escrow.ts'
import { askAll } from '../protocol/rpc/askAll.ts'
import type { History } from './history.ts'
import { signedPayments } from './holds.ts'
import type { Finding } from './report.ts'

/** What the contract owes an account, by its events; micro-units. */
interface ClaimableCredit {
  creditedMicros: bigint
  withdrawnMicros: bigint
}

/** Every account that the contract ever credited. */
export type ClaimableCredits = Map<Address, ClaimableCredit>

/**
 * Sums credits and withdrawals per account, in chain order. Each withdrawal must be of exactly the whole
 * credit.
 */
export function auditClaimable(history: History): { credits: ClaimableCredits; findings: Finding[] } {
  const credits: ClaimableCredits = new Map()
  const findings: Finding[] = []
  const creditOf = (account: Address) => {
    const known = credits.get(getAddress(account))
    if (known) return known
    const fresh = { creditedMicros: 0n, withdrawnMicros: 0n }
    credits.set(getAddress(account), fresh)
    return fresh
  }
  for (const event of history.escrowEvents) {
    if (event.eventName === 'Released') {
      for (const [index, recipient] of event.args.recipients.entries()) {
        creditOf(recipient).creditedMicros += event.args.amounts[index] ?? 0n
      }
    }
    if (event.eventName === 'Reclaimed') creditOf(event.args.payer).creditedMicros += event.args.amount
    if (event.eventName === 'Withdrawn') {
      const { account, amount } = event.args
      const credit = creditOf(account)
      const dueMicros = credit.creditedMicros - credit.withdrawnMicros
      credit.withdrawnMicros += amount
      if (amount !== dueMicros) {
        findings.push({
          code: 'claim/wrong-withdrawal',
          subject: account,
          detail: `${amount} withdrawn, where ${dueMicros} of ${credit.creditedMicros} credited was due.`,
        })
      }
    }
  }
  return { credits, findings }
}

/** Compares the sums with what the contract returns at the audited block. */
export async function compareClaimable(
  client: PublicClient,
  at: { escrow: Address; toBlock: bigint },
  credits: ClaimableCredits,
): Promise<Finding[]> {
  const contract = { address: at.escrow, abi: escrowAbi, blockNumber: at.toBlock } as const
  const compared = await askAll([...credits], async ([account, { creditedMicros, withdrawnMicros }]) => ({
    account,
    dueMicros: creditedMicros - withdrawnMicros,
    answer: await client.readContract({ ...contract, functionName: 'claimable', args: [account] }),
  }))
  return compared
    .filter(({ dueMicros, answer }) => answer !== dueMicros)
    .map(({ account, dueMicros, answer }) => ({
      code: 'claim/differs',
      subject: account,
      detail: `Its events add up to ${dueMicros}; the contract answers ${answer}.`,
    }))
}

/**
 * Returns a finding for every transfer out of the contract that is not a withdrawal, the return of a stray
 * payment in its exact amount, or an announced rescue of the payment token.
 */
export function auditOutflows(history: History, { escrow, token }: { escrow: Address; token: Address }): Finding[] {
  const explained = new Map<string, number>()
  const explain = (key: string) => explained.set(key, (explained.get(key) ?? 0) + 1)
  const payments = signedPayments(history, escrow)
  // The contract cannot see what a spent authorization paid, so it trusts the resolver for the amount.
  const isPaidBack = ({ from, nonce, amount }: { from: Address; nonce: Hex; amount: bigint }) =>
    payments.get(`${from}:${nonce}`)?.amountMicros === amount
  for (const event of history.escrowEvents) {
    if (event.eventName === 'Withdrawn') explain(`${event.txHash}:${event.args.to}:${event.args.amount}`)
    // The contract lets its administrator rescue other tokens without an announcement.
    if (event.eventName === 'Rescued' && isAddressEqual(event.args.token, token))
      explain(`${event.txHash}:${event.args.to}:${event.args.amount}`)
    if (event.eventName === 'StrayReturned' && isPaidBack(event.args)) {
      explain(`${event.txHash}:${event.args.from}:${event.args.amount}`)
    }
  }
  const findings: Finding[] = []
  for (const outflow of history.transfers.filter(({ from }) => from === escrow)) {
    const key = `${outflow.txHash}:${outflow.to}:${outflow.amountMicros}`
    const left = explained.get(key) ?? 0
    if (left > 0) explained.set(key, left - 1)
    else {
      findings.push({
        code: 'escrow/unexplained-outflow',
        subject: outflow.txHash,
        detail: `${outflow.amountMicros} left the contract for ${outflow.to} without an event that says why, or for more than came.`,
      })
    }
  }
  return findings
}
