import { type Address, type Hex, isAddressEqual } from 'viem'
import type { Pass } from './context.ts'
import type { StoredTransaction } from './store.ts'
import { findReceipt, requireOnChain } from './uses.ts'

/** What has become of an intent's transactions. `reverts` counts those that the chain mined and refused. */
export type Fate =
  | { kind: 'confirmed'; hash: Hex }
  | { kind: 'pending'; transactions: StoredTransaction[] }
  | { kind: 'gone'; reverts: number }

/**
 * Looks up every transaction of an intent. One that is mined counts at confirmed depth; one that is not is gone only
 * when its nonce was used by another at that depth: until then it may still be mined. One that succeeded without an event
 * of ours met no contract, as where the chain took its deployment back: it did nothing, and counts as refused. Throws
 * where a receipt is of a block that the chain does not have: what follows ends the intent, and nobody would send it again.
 */
export async function fateOf(pass: Pass, transactions: readonly StoredTransaction[]): Promise<Fate> {
  let reverts = 0
  const pending: StoredTransaction[] = []
  for (const transaction of transactions) {
    // Asked before the receipt: what is mined in between has a receipt.
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
