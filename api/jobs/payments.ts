import { isDeepStrictEqual } from 'node:util'
import { type Address, type Hex, type Log, type PublicClient, pad } from 'viem'
import { tokenAbi } from '../../protocol/abi/token.ts'
import { readLogs } from '../../protocol/logs.ts'
import { AUTHORIZATION_USED } from '../../protocol/topics.ts'
import { type AuthorizationName, findUseLog } from '../../protocol/uses.ts'
import { businessKey, type PaymentEvent } from '../escrow/evidence.ts'
import { decodeFact } from './decode.ts'
import { agreed } from './nodes.ts'
import type { JobServices } from './services.ts'

// Blocks are stamped a little before or after the database's clock.
const CLOCK_SKEW_SECONDS = 600n

/**
 * Every payment to us under any of these nonces, whoever signed it, from a time up to a block. Read from the node alone:
 * that the index shows none proves nothing. Throws NodesDisagree, and what an RPC throws; and where a node contradicts itself.
 */
export function paymentsSeen(
  services: JobServices,
  nonces: readonly Hex[],
  range: { since: Date; to: bigint },
): Promise<PaymentEvent[]> {
  return agreed(services, 'the payments under a nonce', (node) => seenAt(node, services, nonces, range))
}

async function seenAt(
  rpc: PublicClient,
  { settings }: JobServices,
  nonces: readonly Hex[],
  range: { since: Date; to: bigint },
): Promise<PaymentEvent[]> {
  const logs = await readLogs(rpc, {
    address: settings.chain.token,
    topics: [AUTHORIZATION_USED, null, [...nonces]],
    fromBlock: await blockBefore(rpc, settings.chain.startBlock, range.since, range.to),
    toBlock: range.to,
  })
  const seen: PaymentEvent[] = []
  for (const { transactionHash, blockHash, logIndex, topics } of logs) {
    if (transactionHash === null || logIndex === null) continue
    const receipt = await rpc.getTransactionReceipt({ hash: transactionHash })
    const isSame = (log: Log) => log.logIndex === logIndex && isDeepStrictEqual(log.topics, topics)
    // What follows the event is read from the receipt: were it another block's, a payment would be overlooked.
    if (receipt.blockHash !== blockHash || !receipt.logs.some(isSame)) {
      throw new Error(`the node tells transaction ${transactionHash} in two ways`)
    }
    const fact = decodeFact(settings.chain, 'payment', receipt.logs, logIndex + 1)
    if (fact?.kind === 'payment' && topics[1] === pad(fact.from)) seen.push(fact)
  }
  return seen
}

/**
 * Throws where an authorization is spent at the block `to`, by then and not before START_BLOCK, and no node shows the
 * event that spent it: a payment, or a cancellation. Then logs are missing, and that there was no payment is not known.
 * Throws as paymentsSeen besides.
 */
export async function requireUseShown(
  services: JobServices,
  { from, nonce }: AuthorizationName,
  to: bigint,
): Promise<void> {
  if (!(await isSpent(services, from, nonce, to))) return
  const { chain } = services.settings
  const isShown = await agreed(services, `what spent ${nonce}`, async (node) => {
    return (await findUseLog(node, chain, { from, nonce }, to)) !== undefined
  })
  // One that a client drew may have been spent long before it was presented.
  if (isShown || (chain.startBlock > 0n && (await isSpent(services, from, nonce, chain.startBlock - 1n)))) return
  throw new Error(`authorization ${nonce} is spent, and the node shows no event that did it`)
}

/** Whether all that follows from a payment has been done. One that opened a hold is acted on as that. */
export async function isSettled({ db }: JobServices, payment: PaymentEvent): Promise<boolean> {
  const settled = await db
    .selectFrom('market.settled_events')
    .select('key')
    .where('key', '=', payment.holdId === null ? businessKey(payment) : `funded:${payment.holdId}`)
    .executeTakeFirst()
  return settled !== undefined
}

/** Whether the token has a nonce as spent at a block, by a payment or a cancellation. Throws as paymentsSeen. */
export async function isSpent(services: JobServices, from: Address, nonce: Hex, blockNumber: bigint): Promise<boolean> {
  const { token } = services.settings.chain
  const read = { address: token, abi: tokenAbi, functionName: 'authorizationState', args: [from, nonce] } as const
  return agreed(services, `whether ${from} used ${nonce}`, (node) => node.readContract({ ...read, blockNumber }))
}

/** A block from before a time, found by halving: nothing that began at that time is in an earlier one. */
async function blockBefore(rpc: PublicClient, startBlock: bigint, since: Date, to: bigint): Promise<bigint> {
  const before = BigInt(Math.floor(since.getTime() / 1000)) - CLOCK_SKEW_SECONDS
  let low = startBlock
  let high = to
  while (low < high) {
    const middle = (low + high + 1n) / 2n
    const { timestamp } = await rpc.getBlock({ blockNumber: middle })
    if (timestamp < before) low = middle
    else high = middle - 1n
  }
  return low
}
