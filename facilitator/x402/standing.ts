import { type Address, type Hex, isAddressEqual, pad, type TransactionReceipt, toEventSelector } from 'viem'
import type { ChainContext } from '../context.ts'
import type { Head } from '../head.ts'
import { findNewestLog } from '../logs.ts'
import { findReceipt, isSpent, paymentIn } from '../payments.ts'

const AUTHORIZATION_USED = toEventSelector('AuthorizationUsed(address,bytes32)')
const AUTHORIZATION_CANCELED = toEventSelector('AuthorizationCanceled(address,bytes32)')

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
interface Authorization {
  from: Address
  nonce: Hex
}

/**
 * How an authorization was spent, and whether that is final; undefined when it is unspent at the newest block. The
 * nonce in lower case; `hints` are transactions that may have done it, which spares a search through all blocks. Throws
 * what the RPC throws, and when the node contradicts itself.
 */
export async function readUse(
  seen: Seen,
  authorization: Authorization,
  hints: readonly Hex[] = [],
): Promise<{ use: Use; isFinal: boolean } | undefined> {
  const { at, head } = seen
  const { from, nonce } = authorization
  if (!(await isSpent(seen, from, nonce, head.latest))) return undefined
  const receipt = (await hintedReceipt(seen, authorization, hints)) ?? (await searchReceipt(seen, authorization))
  const log = receipt && useLog(at.token, receipt, authorization)
  if (!log)
    throw new Error(`authorization ${nonce} is spent, and the node finds no event since START_BLOCK that did it`)
  const { transactionHash: transaction, blockNumber, blockHash, logIndex } = log
  const isPayment = log.topics[0] === AUTHORIZATION_USED
  const payment = isPayment ? paymentIn(seen, receipt, from, nonce) : undefined
  const event = isPayment ? 'AuthorizationUsed' : 'AuthorizationCanceled'
  return {
    use: { event, transaction, blockNumber, blockHash, logIndex, payment },
    isFinal: blockNumber <= head.confirmed.number,
  }
}

async function hintedReceipt(seen: Seen, authorization: Authorization, hints: readonly Hex[]) {
  for (const hash of hints) {
    const receipt = await findReceipt(seen, hash)
    if (receipt && useLog(seen.at.token, receipt, authorization)) return receipt
  }
  return undefined
}

async function searchReceipt({ client, at, head }: Seen, { from, nonce }: Authorization) {
  const log = await findNewestLog(client, {
    address: at.token,
    topics: [[AUTHORIZATION_USED, AUTHORIZATION_CANCELED], pad(from), nonce],
    fromBlock: at.startBlock,
    toBlock: head.latest.number,
  })
  return log && client.getTransactionReceipt({ hash: log.transactionHash })
}

/** The token's own event: others may look like it. */
function useLog(token: Address, { logs }: TransactionReceipt, { from, nonce }: Authorization) {
  return logs.find(
    ({ address, topics: [event, authorizer, used] }) =>
      isAddressEqual(address, token) &&
      (event === AUTHORIZATION_USED || event === AUTHORIZATION_CANCELED) &&
      authorizer === pad(from).toLowerCase() &&
      used === nonce,
  )
}

/**
 * Proves that an authorization valid before `validBefore` (unix seconds) did not pay and never will. Undefined as long as
 * that is not so. Throws what the RPC throws, and when the chain was reorganised meanwhile.
 */
export async function proveUnpaid(
  seen: Seen,
  { from, nonce }: Authorization,
  validBefore: bigint,
): Promise<UnpaidProof | undefined> {
  const { number, hash, timestamp } = seen.head.confirmed
  if (timestamp < validBefore || (await isSpent(seen, from, nonce, seen.head.confirmed))) return undefined
  const block = await seen.client.getBlock({ blockNumber: number })
  if (block.hash !== hash) throw new Error('the chain was reorganised while it was read')
  return { blockNumber: number, blockHash: hash, blockTimestamp: timestamp }
}
