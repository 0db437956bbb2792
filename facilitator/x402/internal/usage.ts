import type { Address, Hex } from 'viem'
import type { AuthorizationKey } from '../../../protocol/payments/authorizationUsage.ts'
import { AUTHORIZATION_USED } from '../../../protocol/rpc/topics.ts'
import type { Head } from '../../chain/head.ts'
import type { ChainContext } from '../../context/chain.ts'
import { findReceipt, findUsage, isSpent, usageIn } from '../../evidence/authorizationUsage.ts'
import { paymentIn } from '../../evidence/payments.ts'

/**
 * The event by which the token spent an authorization. `payment` is what it moved; a cancellation moves
 * nothing.
 */
export interface Use {
  event: 'AuthorizationUsed' | 'AuthorizationCanceled'
  transaction: Hex
  blockNumber: bigint
  blockHash: Hex
  logIndex: number
  payment: { to: Address; amountMicros: bigint } | undefined
}

/**
 * Proof that an authorization was never used and never can be: it was unused when it expired, at confirmed
 * depth.
 */
export interface UnpaidProof {
  blockNumber: bigint
  blockHash: Hex
  /** Unix seconds; not before the expiry of the authorization. */
  blockTimestamp: bigint
}

type Seen = Pick<ChainContext, 'client' | 'at'> & { head: Head }

/**
 * A spent authorization, and how it was spent; unknown if that was before START_BLOCK, when it cannot have
 * paid us.
 */
export interface Spent {
  use: Use | undefined
  isFinal: boolean
}

/**
 * Returns how an authorization was spent, and whether that is final; undefined if it is unspent at the newest
 * block. The nonce must be in lower case; `hints` are transactions that may have done it, which avoids a
 * search through all blocks. Throws any error of the RPC, and if the node contradicts itself.
 */
export async function readUse(
  seen: Seen,
  authorization: AuthorizationKey,
  hints: readonly Hex[] = [],
): Promise<Spent | undefined> {
  const { head, at } = seen
  const { from, nonce } = authorization
  if (!(await isSpent(seen, from, nonce, head.latest))) return undefined
  const found = (await hintedUse(seen, authorization, hints)) ?? (await findUsage(seen, authorization))
  if (!found) return { use: undefined, isFinal: at.startBlock - 1n <= head.confirmed.number }
  const { log, receipt } = found
  const { transactionHash: transaction, blockNumber, blockHash, logIndex } = log
  const isPayment = log.topics[0] === AUTHORIZATION_USED
  const payment = isPayment ? paymentIn(seen, receipt, from, nonce) : undefined
  const event = isPayment ? 'AuthorizationUsed' : 'AuthorizationCanceled'
  return {
    use: { event, transaction, blockNumber, blockHash, logIndex, payment },
    isFinal: blockNumber <= head.confirmed.number,
  }
}

async function hintedUse(seen: Seen, authorization: AuthorizationKey, hints: readonly Hex[]) {
  for (const hash of hints) {
    const receipt = await findReceipt(seen, hash)
    const use = receipt && (await usageIn(seen, receipt, authorization))
    if (use) return use
  }
  return undefined
}

/**
 * Proves that an authorization valid before `validBefore` (unix seconds) did not pay and never will. Returns
 * undefined while that is not proved. Throws any error of the RPC, and if the chain reorganised meanwhile.
 */
export async function proveUnpaid(
  seen: Seen,
  { from, nonce }: AuthorizationKey,
  validBefore: bigint,
): Promise<UnpaidProof | undefined> {
  const { number, hash, timestamp } = seen.head.confirmed
  if (timestamp < validBefore || (await isSpent(seen, from, nonce, seen.head.confirmed))) return undefined
  const block = await seen.client.getBlock({ blockNumber: number })
  if (block.hash !== hash) throw new Error('the chain was reorganised while it was read')
  return { blockNumber: number, blockHash: hash, blockTimestamp: timestamp }
}
