import { isAddressEqual, keccak256, parseTransaction, recoverTransactionAddress } from 'viem'
import type { StoredTransaction } from '../context/records.ts'

/**
 * Returns whether a row of the file is a transaction that its signer really signed for this chain: the bytes
 * hash to its hash, recover to its signer, and contain its nonce and the chain's id. Without this check,
 * anyone who can write the table could make a key sign their call, because a stuck transaction is signed
 * again with higher fees.
 */
export async function isSignedTransaction(
  { hash, signer, nonce, raw }: StoredTransaction,
  chainId: number,
): Promise<boolean> {
  try {
    const serializedTransaction = raw as `0x02${string}`
    const transaction = parseTransaction(serializedTransaction)
    if (transaction.type !== 'eip1559' || transaction.chainId !== chainId) return false
    if ((transaction.nonce ?? 0) !== nonce || keccak256(raw) !== hash) return false
    return isAddressEqual(await recoverTransactionAddress({ serializedTransaction }), signer)
  } catch {
    return false
  }
}
