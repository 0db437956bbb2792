import { isAddressEqual, keccak256, parseTransaction, recoverTransactionAddress, recoverTypedDataAddress } from 'viem'
import { transferAuthorizationTypedData } from '../protocol/authorization.ts'
import type { ChainContext } from './context.ts'
import type { PayoutAuthorization, StoredTransaction } from './store.ts'

/**
 * Returns whether a row of the file is a transaction that its signer really signed for this chain: the bytes hash to
 * its hash, recover to its signer, and contain its nonce and the chain's id. Without this check, anyone who can write
 * the table could make a key sign their call, because a stuck transaction is signed again with higher fees.
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

/** Returns whether the hot wallet really signed an authorization of the file. */
export async function isSignedAuthorization(
  { at, domain }: Pick<ChainContext, 'at' | 'domain'>,
  authorization: PayoutAuthorization,
): Promise<boolean> {
  const { recipient: to, amountMicros: value, validBefore, nonce, signature } = authorization
  const message = { from: at.hotWallet, to, value, validAfter: 0n, validBefore, nonce }
  try {
    const signer = await recoverTypedDataAddress({ ...transferAuthorizationTypedData(domain, message), signature })
    return isAddressEqual(signer, at.hotWallet)
  } catch {
    return false
  }
}
