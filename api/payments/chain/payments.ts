import { isDeepStrictEqual } from 'node:util'
import { type Address, type Hex, type Log, type PublicClient, pad } from 'viem'
import { tokenAbi } from '../../../protocol/generated/token.ts'
import { type AuthorizationKey, findUsageLog } from '../../../protocol/payments/authorizationUsage.ts'
import { firstBlockAt } from '../../../protocol/rpc/firstBlock.ts'
import { readLogs } from '../../../protocol/rpc/logs.ts'
import { AUTHORIZATION_USED } from '../../../protocol/rpc/topics.ts'
import { readClock } from '../../platform/db/clock.ts'
import type { JobServices } from '../../platform/jobs/services.ts'
import { decodeEvent } from './decode.ts'
import { businessKey, type PaymentEvent } from './evidence.ts'
import { agreed, confirmedBlock } from './nodes.ts'

// Block timestamps may differ slightly from the database's clock.
const CLOCK_SKEW_SECONDS = 600n

/**
 * Returns every payment to us under any of these nonces, from any signer, from a time up to a block. Reads
 * the node only, because absence from the index proves nothing. Throws NodesDisagree, any error of an RPC,
 * and an error if a node contradicts itself.
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
  const from = BigInt(Math.floor(range.since.getTime() / 1_000)) - CLOCK_SKEW_SECONDS
  const logs = await readLogs(rpc, {
    address: settings.chain.token,
    topics: [AUTHORIZATION_USED, null, [...nonces]],
    fromBlock: await firstBlockAt(rpc, { fromBlock: settings.chain.startBlock, toBlock: range.to }, from),
    toBlock: range.to,
  })
  const seen: PaymentEvent[] = []
  for (const { transactionHash, blockHash, logIndex, topics } of logs) {
    if (transactionHash === null || logIndex === null) continue
    const receipt = await rpc.getTransactionReceipt({ hash: transactionHash })
    const isSame = (log: Log) => log.logIndex === logIndex && isDeepStrictEqual(log.topics, topics)
    // The logs after the event are read from the receipt. If the receipt were of another block, a payment
    // could be missed.
    if (receipt.blockHash !== blockHash || !receipt.logs.some(isSame)) {
      throw new Error(`the node tells transaction ${transactionHash} in two ways`)
    }
    const event = decodeEvent(settings.chain, 'payment', receipt.logs, logIndex + 1)
    if (event?.kind === 'payment' && topics[1] === pad(event.from)) seen.push(event)
  }
  return seen
}

/**
 * Throws if an authorization is spent at block `to` and was not before START_BLOCK, but no node shows the
 * event that spent it (a payment or a cancellation). Logs are then missing, and the absence of a payment is
 * not proved. Also throws as paymentsSeen.
 */
export async function requireUseShown(
  services: JobServices,
  { from, nonce }: AuthorizationKey,
  to: bigint,
): Promise<void> {
  if (!(await isSpent(services, from, nonce, to))) return
  const { chain } = services.settings
  const isShown = await agreed(services, `what spent ${nonce}`, async (node) => {
    return (await findUsageLog(node, chain, { from, nonce }, to)) !== undefined
  })
  // An authorization made by a client may have been spent long before it was presented.
  if (isShown || (chain.startBlock > 0n && (await isSpent(services, from, nonce, chain.startBlock - 1n)))) return
  throw new Error(`authorization ${nonce} is spent, and the node shows no event that did it`)
}

/**
 * Returns whether every consequence of a payment is recorded. A payment that opened a hold is processed as
 * that hold.
 */
export async function isProcessed({ db }: JobServices, payment: PaymentEvent): Promise<boolean> {
  const settled = await db
    .selectFrom('market.processed_chain_events')
    .select('key')
    .where('key', '=', payment.holdId === null ? businessKey(payment) : `funded:${payment.holdId}`)
    .executeTakeFirst()
  return settled !== undefined
}

/**
 * Returns whether the token shows a nonce as spent at a block, by a payment or a cancellation. Throws as
 * paymentsSeen.
 */
export async function isSpent(services: JobServices, from: Address, nonce: Hex, blockNumber: bigint): Promise<boolean> {
  const { token } = services.settings.chain
  const read = { address: token, abi: tokenAbi, functionName: 'authorizationState', args: [from, nonce] } as const
  return agreed(services, `whether ${from} used ${nonce}`, (node) => node.readContract({ ...read, blockNumber }))
}

/**
 * Returns the confirmed block, and its time or the database's, whichever is earlier: an authorization that
 * expired before it has paid or never will, even if one of the clocks is ahead. Undefined without a confirmed
 * block.
 */
export async function confirmedTime(services: JobServices): Promise<{ block: bigint; time: Date } | undefined> {
  const block = await confirmedBlock(services)
  if (block === undefined) return undefined
  const timestamp = await agreed(services, `the time of block ${block}`, async (node) => {
    return (await node.getBlock({ blockNumber: block })).timestamp
  })
  const now = await readClock(services.db)
  return { block, time: new Date(Math.min(Number(timestamp) * 1000, now.getTime())) }
}

/**
 * An offer that may have been paid: its nonce, the authorizations on file for it, and the time from which it
 * could be paid.
 */
export interface Unpaid {
  nonce: string
  filed: readonly { payer: string; nonce: string }[]
  since: Date
}

/**
 * Returns whether every payment of an offer is processed, up to a block whose time is past the offer. A
 * payment that was processed and left the offer unpaid came from a stranger. If an authorization on file was
 * used, the node must show the transaction that used it, because missing logs prove nothing: throws as
 * `requireUseShown`.
 */
export async function isProvedUnpaid(services: JobServices, unpaid: Unpaid, block: bigint): Promise<boolean> {
  const nonces = [...new Set([unpaid.nonce, ...unpaid.filed.map(({ nonce }) => nonce)])] as Hex[]
  const payments = await paymentsSeen(services, nonces, { since: unpaid.since, to: block })
  for (const payment of payments) if (!(await isProcessed(services, payment))) return false
  for (const { payer, nonce } of unpaid.filed)
    await requireUseShown(services, { from: payer as Address, nonce: nonce as Hex }, block)
  return true
}
