import { type Address, type Hex, isAddressEqual } from 'viem'
import type { StoredTransaction } from '../context/records.ts'
import { findReceipt, requireOnChain } from './authorizationUsage.ts'
import type { Pass } from './pass.ts'

/** The state of an intent's transactions. `reverts` counts those that were mined and reverted. */
export type TransactionOutcome =
  | { kind: 'confirmed'; hash: Hex }
  | { kind: 'pending'; transactions: StoredTransaction[] }
  | { kind: 'gone'; reverts: number }

/**
 * Looks up every transaction of an intent. A mined one counts at confirmed depth; an unmined one is gone only
 * when another used its nonce at that depth: until then it may still be mined. One that succeeded without an
 * event of ours met no contract, as when a reorganisation removed its deployment: it did nothing, and counts
 * as reverted. Throws if a receipt is of a block that the chain does not have, because the result may end the
 * intent for good.
 */
export async function readTransactionOutcome(
  pass: Pass,
  transactions: readonly StoredTransaction[],
): Promise<TransactionOutcome> {
  let reverts = 0
  const pending: StoredTransaction[] = []
  for (const transaction of transactions) {
    // Checked before the receipt: a transaction mined in between has a receipt.
    const isUnderWay = pass.signers.isUnderWay(transaction)
    const receipt = isUnderWay ? undefined : await receiptOf(pass, transaction)
    if (isUnderWay || (receipt && receipt.blockNumber > pass.head.confirmed.number)) pending.push(transaction)
    else if (receipt?.status === 'success' && receipt.logs.some(({ address }) => isOurs(pass, address)))
      return { kind: 'confirmed', hash: transaction.hash }
    else if (receipt) reverts += 1
  }
  return pending.length > 0 ? { kind: 'pending', transactions: pending } : { kind: 'gone', reverts }
}

async function receiptOf(pass: Pass, { hash }: StoredTransaction) {
  const receipt = await findReceipt(pass, hash)
  if (receipt && receipt.blockNumber <= pass.head.confirmed.number) await requireOnChain(pass, receipt)
  return receipt
}

function isOurs({ at }: Pass, address: Address): boolean {
  return isAddressEqual(address, at.token) || isAddressEqual(address, at.escrow)
}
