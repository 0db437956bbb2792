import type { PublicClient } from 'viem'
import { parseAmount } from '../protocol/encoding/amounts.ts'
import { payoutNonce, type WalletLocation } from '../protocol/payments/nonces.ts'
import type { PayoutReceipt } from '../protocol/payments/payoutReceipt.ts'
import { askAll } from '../protocol/rpc/askAll.ts'
import type { Deposit } from './custody.ts'
import { distinct } from './distinct.ts'
import type { Finding } from './report.ts'

/**
 * Checks an owner's payout receipts: each is a leg of its deposit, and on chain with the stated transaction
 * and recipient.
 */
export async function auditPayouts(
  client: PublicClient,
  at: WalletLocation,
  payouts: readonly PayoutReceipt[],
  deposits: readonly Deposit[],
): Promise<Finding[]> {
  const paidIn = new Map(deposits.map((deposit) => [keyOf(deposit.transfer.from, deposit.nonce), deposit]))
  const receipts = distinct(payouts).map((payout) => ({
    payout,
    deposit: paidIn.get(keyOf(payout.deposit.from, payout.deposit.nonce)),
  }))
  const areTrue = await askAll(
    receipts,
    async ({ payout, deposit }) => deposit !== undefined && isAsTold(payout, deposit, at) && isInBlock(client, payout),
  )
  const findings: Finding[] = []
  const told = new Set<string>()
  for (const [index, { payout, deposit }] of receipts.entries()) {
    const subject = `market:${payout.payout_urn.prefix}:${payout.payout_urn.body}`
    const leg = `${payout.leg}:${keyOf(payout.deposit.from, payout.deposit.nonce)}`
    if (told.has(leg)) {
      findings.push({
        code: 'payout/leg-reused',
        subject,
        detail: 'Another payout receipt names this leg of its deposit.',
      })
    }
    told.add(leg)
    const paid = deposit?.legs[payout.leg]
    if (!deposit || !paid) {
      findings.push({
        code: 'payout/not-on-chain',
        subject,
        detail: `No ${payout.leg} leg of its deposit is on chain.`,
      })
    } else if (!areTrue[index]) {
      findings.push({
        code: 'payout/differs',
        subject,
        detail: `The chain has ${paid.amountMicros} to ${paid.to} in transaction ${paid.txHash}.`,
      })
    }
  }
  return findings
}

function isAsTold(payout: PayoutReceipt, { transfer, nonce, legs }: Deposit, at: WalletLocation): boolean {
  const paid = legs[payout.leg]
  return (
    paid !== undefined &&
    payout.nonce === payoutNonce(at, { from: transfer.from, nonce }, payout.leg) &&
    same(payout.from, at.hotWallet) &&
    same(payout.to, paid.to) &&
    parseAmount(payout.amount) === paid.amountMicros &&
    payout.tx_hash === paid.txHash &&
    BigInt(payout.block_number) === paid.blockNumber &&
    payout.log_index === paid.logIndex &&
    parseAmount(payout.deposit.amount) === transfer.amountMicros &&
    payout.deposit.tx_hash === transfer.txHash
  )
}

async function isInBlock(client: PublicClient, payout: PayoutReceipt): Promise<boolean> {
  return (await client.getBlock({ blockNumber: BigInt(payout.block_number) })).hash === payout.block_hash
}

function same(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

function keyOf(from: string, nonce: string): string {
  return `${from}:${nonce}`.toLowerCase()
}
