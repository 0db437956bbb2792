import {
  type Address,
  type Hex,
  isAddressEqual,
  type Log,
  pad,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
} from 'viem'
import { tokenAbi } from '../../protocol/generated/token.ts'
import { type AuthorizationKey, findUsageLog } from '../../protocol/payments/authorizationUsage.ts'
import { AUTHORIZATION_CANCELED, AUTHORIZATION_USED } from '../../protocol/rpc/topics.ts'
import type { Head } from '../chain/head.ts'
import type { Block } from '../context/chain.ts'
import type { Pass } from './pass.ts'

/**
 * The event by which the token spent an authorization, in a payment or a cancellation, and its transaction.
 */
export interface UsageEvent {
  log: Log<bigint, number, false>
  receipt: TransactionReceipt
}

type Seen = Pick<Pass, 'client' | 'at' | 'head'>

const hashesAt = new WeakMap<Head, Map<bigint, Promise<Hex>>>()

/** Returns whether the token shows the nonce as spent at a block, by a payment or a cancellation. */
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

/** Returns a transaction's receipt, or undefined if the node has none. */
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
 * Throws if the chain has another block at a receipt's height: one of several nodes behind one address may
 * still return a block that the chain has dropped.
 */
export async function requireOnChain(seen: Seen, receipt: TransactionReceipt): Promise<void> {
  if ((await hashAt(seen, receipt.blockNumber)) === receipt.blockHash) return
  throw new Error(`the receipt of ${receipt.transactionHash} is of a block that the chain does not have`)
}

/**
 * Returns the event that spent a nonce, or undefined if that was before START_BLOCK, when nothing of ours
 * existed. Throws if the node finds none: it shows the nonce as spent, so the absence of the event proves
 * only that logs are missing.
 */
export async function findUsage(seen: Seen, name: AuthorizationKey): Promise<UsageEvent | undefined> {
  const found = await searchUsage(seen, name)
  if (found || (await isSpentBeforeStart(seen, name))) return found
  throw new Error(`authorization ${name.nonce} is spent, and the node finds no event since START_BLOCK that did it`)
}

/**
 * Same as findUsage, but returns undefined if there is none. Throws if the node contradicts itself, and any
 * error of the RPC.
 */
export async function searchUsage(seen: Seen, name: AuthorizationKey): Promise<UsageEvent | undefined> {
  const { client, at, head } = seen
  const log = await findUsageLog(client, at, name, head.latest.number)
  return log && usageIn(seen, await client.getTransactionReceipt({ hash: log.transactionHash }), name)
}

async function isSpentBeforeStart({ client, at }: Seen, { from, nonce }: AuthorizationKey): Promise<boolean> {
  if (at.startBlock === 0n) return false
  return client.readContract({
    address: at.token,
    abi: tokenAbi,
    functionName: 'authorizationState',
    args: [from, nonce],
    blockNumber: at.startBlock - 1n,
  })
}

/**
 * Returns the chain's block hash at a height, as of this head. Read once per head, for all receipts of that
 * block.
 */
async function hashAt({ client, head }: Seen, number: bigint): Promise<Hex> {
  const known = [head.confirmed, head.latest].find((block) => block.number === number)
  if (known) return known.hash
  const asked = hashesAt.get(head) ?? new Map<bigint, Promise<Hex>>()
  hashesAt.set(head, asked)
  const hash = asked.get(number) ?? client.getBlock({ blockNumber: number }).then((block) => block.hash)
  asked.set(number, hash)
  // A failed read is repeated.
  hash.catch(() => asked.delete(number))
  return hash
}

/**
 * Returns the event in a transaction that spent a nonce. It must be the token's own: other contracts may emit
 * a lookalike. Throws as requireOnChain.
 */
export async function usageIn(
  seen: Seen,
  receipt: TransactionReceipt,
  { from, nonce }: AuthorizationKey,
): Promise<UsageEvent | undefined> {
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
