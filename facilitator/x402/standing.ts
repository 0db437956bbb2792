import type { Address, Hex } from 'viem'
import { AUTHORIZATION_USED } from '../../protocol/topics.ts'
import type { AuthorizationName } from '../../protocol/uses.ts'
import type { ChainContext } from '../context.ts'
import type { Head } from '../head.ts'
import { paymentIn } from '../payments.ts'
import { findReceipt, findUse, isSpent, useIn } from '../uses.ts'

/** The event with which the token spent an authorization. `payment` is what it moved; a cancellation moves nothing. */
export interface Use {
  event: 'AuthorizationUsed' | 'AuthorizationCanceled'
  transaction: Hex
  blockNumber: bigint
  blockHash: Hex
  logIndex: number
  payment: { to: Address; amountMicros: bigint } | undefined
}

/** Proof that an authorization was never used and never can be: it was unused when its time was over, at confirmed depth. */
export interface UnpaidProof {
  blockNumber: bigint
  blockHash: Hex
  /** Unix seconds; not before the end of the authorization's validity. */
  blockTimestamp: bigint
}

type Seen = Pick<ChainContext, 'client' | 'at'> & { head: Head }

/** That an authorization is spent, and how; by what is not known where it was before START_BLOCK: it paid nothing of ours. */
export interface Spent {
  use: Use | undefined
  isFinal: boolean
}

/**
 * How an authorization was spent, and whether that is final; undefined when it is unspent at the newest block. The
 * nonce in lower case; `hints` are transactions that may have done it, which spares a search through all blocks. Throws
 * what the RPC throws, and when the node contradicts itself.
 */
export async function readUse(
  seen: Seen,
  authorization: AuthorizationName,
  hints: readonly Hex[] = [],
): Promise<Spent | undefined> {
  const { head, at } = seen
  const { from, nonce } = authorization
  if (!(await isSpent(seen, from, nonce, head.latest))) return undefined
  const found = (await hintedUse(seen, authorization, hints)) ?? (await findUse(seen, authorization))
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

async function hintedUse(seen: Seen, authorization: AuthorizationName, hints: readonly Hex[]) {
  for (const hash of hints) {
    const receipt = await findReceipt(seen, hash)
    const use = receipt && (await useIn(seen, receipt, authorization))
    if (use) return use
  }
  return undefined
}

/**
 * Proves that an authorization valid before `validBefore` (unix seconds) did not pay and never will. Undefined as long as
 * that is not so. Throws what the RPC throws, and when the chain was reorganised meanwhile.
 */
export async function proveUnpaid(
  seen: Seen,
  { from, nonce }: AuthorizationName,
  validBefore: bigint,
): Promise<UnpaidProof | undefined> {
  const { number, hash, timestamp } = seen.head.confirmed
  if (timestamp < validBefore || (await isSpent(seen, from, nonce, seen.head.confirmed))) return undefined
  const block = await seen.client.getBlock({ blockNumber: number })
  if (block.hash !== hash) throw new Error('the chain was reorganised while it was read')
  return { blockNumber: number, blockHash: hash, blockTimestamp: timestamp }
}
