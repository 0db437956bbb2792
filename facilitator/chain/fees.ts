import type { Hex, PublicClient } from 'viem'
import type { Head } from './head.ts'

/** EIP-1559 fees of a transaction, in wei. */
export interface Fees {
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
}

/**
 * Returns the fees to send with at a head, or undefined if the limit does not even pay for the next block:
 * the caller then waits.
 */
export type FeeQuote = (head: Head) => Promise<Fees | undefined>

const BASE_FEE_ROOM = 2n
/** Nodes accept a replacement only if both fees rise by a tenth; some require an eighth. */
const BUMP_NUMERATOR = 9n
const BUMP_DENOMINATOR = 8n

/**
 * Returns fees that still suffice if the base fee doubles, within the limit (wei). Queries the node once per
 * block.
 */
export function createFeeQuote(client: PublicClient, maxFeePerGas: bigint): FeeQuote {
  let known: { hash: Hex; fees: Promise<Fees | undefined> } | undefined
  return (head) => {
    if (known?.hash === head.latest.hash) return known.fees
    const quote = { hash: head.latest.hash, fees: currentFees(client, head, maxFeePerGas) }
    // A failed query is repeated.
    quote.fees.catch(() => {
      if (known === quote) known = undefined
    })
    known = quote
    return quote.fees
  }
}

async function currentFees(client: PublicClient, head: Head, maxFeePerGas: bigint): Promise<Fees | undefined> {
  const tip = await client.estimateMaxPriorityFeePerGas()
  const base = head.latest.baseFeePerGas
  if (base + tip > maxFeePerGas) return undefined
  const roomy = BASE_FEE_ROOM * base + tip
  return { maxFeePerGas: roomy < maxFeePerGas ? roomy : maxFeePerGas, maxPriorityFeePerGas: tip }
}

/** Returns whether the market price `current` has left behind a transaction with these fees. */
export function isOutbid(fees: Fees, current: Fees, head: Head): boolean {
  const { maxPriorityFeePerGas: tip } = current
  return fees.maxFeePerGas < head.latest.baseFeePerGas + tip || fees.maxPriorityFeePerGas < tip
}

/**
 * Returns fees that replace a transaction: both at least an eighth above the old. Undefined if they exceed
 * the limit.
 */
export function replacementFees(old: Fees, current: Fees, maxFeePerGas: bigint): Fees | undefined {
  const raised = (fee: bigint) => (fee * BUMP_NUMERATOR) / BUMP_DENOMINATOR + 1n
  const larger = (one: bigint, other: bigint) => (one > other ? one : other)
  const fees = {
    maxFeePerGas: larger(raised(old.maxFeePerGas), current.maxFeePerGas),
    maxPriorityFeePerGas: larger(raised(old.maxPriorityFeePerGas), current.maxPriorityFeePerGas),
  }
  return fees.maxFeePerGas <= maxFeePerGas ? fees : undefined
}
