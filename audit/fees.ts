import type { PublicClient } from 'viem'
import { type PublicKeyJwk, verifyDocument } from '../protocol/keys/signing.ts'
import { type FeeRate, ratesOf, type SignedFeeSchedule } from '../protocol/payments/fees.ts'
import { firstBlockAt } from '../protocol/rpc/firstBlock.ts'
import type { AuditTarget } from './history.ts'
import type { Finding } from './report.ts'

/** The fees of custodied orders that the auditor was given: a signed list, or one rate for all. */
export type ToldFees = { signed: SignedFeeSchedule } | { feeBps: number }

/** A fee, and the blocks in which an order with it can be paid: from the first on, and before the second. */
export interface BlockRate {
  feeBps: number
  fromBlock: bigint
  beforeBlock: bigint
}

const BPS_SCALE = 10_000n
const ALWAYS = 1n << 62n
// Block timestamps are a little behind the clock that dates orders.
const CLOCK_SKEW_SECONDS = 600n

/**
 * Returns the blocks of each fee. An order's fee is that of its placement, which the chain does not show; its
 * payment follows within the payment window, so just after a change either fee can apply.
 */
export async function feeBlocks(client: PublicClient, target: AuditTarget, told: ToldFees): Promise<BlockRate[]> {
  if ('feeBps' in told) return [{ feeBps: told.feeBps, fromBlock: 0n, beforeBlock: ALWAYS }]
  const { document } = told.signed
  const rates = ratesOf(document)
  const blocks: BlockRate[] = []
  for (const [place, { feeBps, from }] of rates.entries()) {
    const next: FeeRate | undefined = rates[place + 1]
    blocks.push({
      feeBps,
      fromBlock: place === 0 ? 0n : await firstBlockAt(client, target, seconds(from) - CLOCK_SKEW_SECONDS),
      beforeBlock: next
        ? await firstBlockAt(client, target, seconds(next.from) + BigInt(document.payment_window_seconds))
        : ALWAYS,
    })
  }
  return blocks
}

/** Returns the fees that an order paid in this block can have. */
export function feesAt(rates: readonly BlockRate[], block: bigint): number[] {
  const possible = rates.filter(({ fromBlock, beforeBlock }) => fromBlock <= block && block < beforeBlock)
  return [...new Set(possible.map(({ feeBps }) => feeBps))]
}

/** Returns the largest fee of an amount at a rate; micro-units. */
export function feeOf(amountMicros: bigint, feeBps: number): bigint {
  return (amountMicros * BigInt(feeBps)) / BPS_SCALE
}

/** Checks a signed fee list: signed by a published key, for the audited chain and wallet. */
export async function auditFees(
  target: AuditTarget,
  told: ToldFees,
  keys: readonly PublicKeyJwk[],
): Promise<Finding[]> {
  if ('feeBps' in told) return []
  const { document, key_id: keyId, signature } = told.signed
  const subject = 'the list of fees'
  const findings: Finding[] = []
  if (!(await verifyDocument(document, { keyId, signature }, keys, { purpose: 'fees' })))
    findings.push({ code: 'fees/bad-signature', subject, detail: 'None of the published keys signed it.' })
  if (document.network !== `eip155:${target.chainId}` || document.hot_wallet !== target.hotWallet)
    findings.push({
      code: 'fees/wrong-place',
      subject,
      detail: 'It is of another chain or wallet than the audited ones.',
    })
  return findings
}

function seconds(instant: Date): bigint {
  return BigInt(Math.floor(instant.getTime() / 1_000))
}
