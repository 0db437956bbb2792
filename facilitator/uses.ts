import {
  type Address,
  type Hex,
  isAddressEqual,
  type Log,
  pad,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
} from 'viem'
import { tokenAbi } from '../protocol/abi/token.ts'
import { AUTHORIZATION_CANCELED, AUTHORIZATION_USED } from '../protocol/topics.ts'
import { type AuthorizationName, findUseLog } from '../protocol/uses.ts'
import type { Pass } from './context.ts'
import type { Block, Head } from './head.ts'

/** The event with which the token spent an authorization, by a payment or a cancellation, and its transaction. */
export interface UseEvent {
  log: Log<bigint, number, false>
  receipt: TransactionReceipt
}

type Seen = Pick<Pass, 'client' | 'at' | 'head'>

const hashesAt = new WeakMap<Head, Map<bigint, Promise<Hex>>>()

/** Whether the token has the nonce as spent, at a block: by a payment, or by a cancellation. */
export function isSpent(
  { client, at }: Pick<Pass, 'client' | 'at'>,
  from: Address,
  nonce: Hex,
  { hash: blockHash }: Block,
): Promise<boolean> {
  return client.readContract({
    address: at.token,
    abi: tokenAbi,
    functionName: 'authorizationState',
    args: [from, nonce],
    blockHash,
  })
}

/** A transaction's receipt, or undefined when the node knows none. */
export async function findReceipt(
  { client }: Pick<Pass, 'client'>,
  hash: Hex,
): Promise<TransactionReceipt | undefined> {
  try {
    return await client.getTransactionReceipt({ hash })
  } catch (error) {
    if (error instanceof TransactionReceiptNotFoundError) return undefined
    throw error
  }
}

/**
 * Throws where the chain has another block at a receipt's height: of several nodes behind one address, one may still tell
 * of a block that the chain has left.
 */
export async function requireOnChain(seen: Seen, receipt: TransactionReceipt): Promise<void> {
  if ((await hashAt(seen, receipt.blockNumber)) === receipt.blockHash) return
  throw new Error(`the receipt of ${receipt.transactionHash} is of a block that the chain does not have`)
}

/**
 * The event that spent a nonce, or undefined where that was before START_BLOCK, when there was nothing of ours. Throws
 * where the node finds none: whoever has the nonce as spent has had it, so that its absence says that logs are missing,
 * and nothing else.
 */
export async function findUse(seen: Seen, name: AuthorizationName): Promise<UseEvent | undefined> {
  const found = await searchUse(seen, name)
  if (found || (await isSpentBeforeStart(seen, name))) return found
  throw new Error(`authorization ${name.nonce} is spent, and the node finds no event since START_BLOCK that did it`)
}

/** The same, or undefined. Throws where the node contradicts itself, and what the RPC throws. */
export async function searchUse(seen: Seen, name: AuthorizationName): Promise<UseEvent | undefined> {
  const { client, at, head } = seen
  const log = await findUseLog(client, at, name, head.latest.number)
  return log && useIn(seen, await client.getTransactionReceipt({ hash: log.transactionHash }), name)
}

async function isSpentBeforeStart({ client, at }: Seen, { from, nonce }: AuthorizationName): Promise<boolean> {
  if (at.startBlock === 0n) return false
  return client.readContract({
    address: at.token,
    abi: tokenAbi,
    functionName: 'authorizationState',
    args: [from, nonce],
    blockNumber: at.startBlock - 1n,
  })
}

/** Which block the chain has at a height, as it was at this head: asked once a head, however many receipts are of it. */
async function hashAt({ client, head }: Seen, number: bigint): Promise<Hex> {
  const known = [head.confirmed, head.latest].find((block) => block.number === number)
  if (known) return known.hash
  const asked = hashesAt.get(head) ?? new Map<bigint, Promise<Hex>>()
  hashesAt.set(head, asked)
  const hash = asked.get(number) ?? client.getBlock({ blockNumber: number }).then((block) => block.hash)
  asked.set(number, hash)
  // What failed is asked again.
  hash.catch(() => asked.delete(number))
  return hash
}

/** The event in a transaction that spent a nonce: the token's own, others may look like it. Throws as requireOnChain. */
export async function useIn(
  seen: Seen,
  receipt: TransactionReceipt,
  { from, nonce }: AuthorizationName,
): Promise<UseEvent | undefined> {
  const log = receipt.logs.find(
    ({ address, topics: [event, authorizer, used] }) =>
      isAddressEqual(address, seen.at.token) &&
      (event === AUTHORIZATION_USED || event === AUTHORIZATION_CANCELED) &&
      authorizer === pad(from).toLowerCase() &&
      used === nonce,
  )
  if (log) await requireOnChain(seen, receipt)
  return log && { log, receipt }
}
