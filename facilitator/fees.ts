import type { PublicClient } from 'viem'
import type { Head } from './head.ts'

/** EIP-1559 fees of a transaction, in wei. */
export interface Fees {
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
}

const BASE_FEE_ROOM = 2n
/** Nodes take a replacement only when both fees rise by a tenth; some want an eighth. */
const BUMP_NUMERATOR = 9n
const BUMP_DENOMINATOR = 8n

/**
 * Fees that stay enough while the base fee doubles, within the limit. Undefined when the limit does not even pay for
 * the next block: then one waits.
 */
export async function currentFees(client: PublicClient, head: Head, maxFeePerGas: bigint): Promise<Fees | undefined> {
  const tip = await client.estimateMaxPriorityFeePerGas()
  const base = head.latest.baseFeePerGas
  if (base + tip > maxFeePerGas) return undefined
  const roomy = BASE_FEE_ROOM * base + tip
  return { maxFeePerGas: roomy < maxFeePerGas ? roomy : maxFeePerGas, maxPriorityFeePerGas: tip }
}

/** Fees that replace a transaction which no longer pays its way. Undefined when it still does, or none within the limit. */
export function replacementFees(old: Fees, current: Fees, head: Head, maxFeePerGas: bigint): Fees | undefined {
  if (old.maxFeePerGas >= head.latest.baseFeePerGas + current.maxPriorityFeePerGas) return undefined
  const raised = (fee: bigint) => (fee * BUMP_NUMERATOR) / BUMP_DENOMINATOR + 1n
  const larger = (one: bigint, other: bigint) => (one > other ? one : other)
  const fees = {
    maxFeePerGas: larger(raised(old.maxFeePerGas), current.maxFeePerGas),
    maxPriorityFeePerGas: larger(raised(old.maxPriorityFeePerGas), current.maxPriorityFeePerGas),
  }
  return fees.maxFeePerGas <= maxFeePerGas ? fees : undefined
}
