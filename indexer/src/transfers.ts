import { type Context, type Event, ponder } from 'ponder:registry'
import { authorizationsUsed, tokenTransfers } from 'ponder:schema'
import { type Hex, isAddressEqual, pad } from 'viem'
import { AUTHORIZATION_USED, TRANSFER } from '../../protocol/rpc/topics.ts'
import { placeOf } from './place.ts'

// Events arrive block by block.
const RECENT_BLOCKS = 8

interface TokenLog {
  transactionHash: Hex | null
  topics: readonly Hex[]
}

const recentLogs = new Map<Hex, Promise<Map<number, TokenLog>>>()

type Transfer = Event<'TokenIn:Transfer'> | Event<'TokenOut:Transfer'>

ponder.on('TokenIn:Transfer', ({ event, context }) => record(event, context))
ponder.on('TokenOut:Transfer', async ({ event, context }) => {
  // A transfer between two of our own addresses arrives twice, once from each source.
  const { Escrow, HotWallet } = context.contracts
  const isInflow = [Escrow, HotWallet].some(({ address }) => isAddressEqual(address, event.args.to))
  if (!isInflow) await record(event, context)
})

// A transfer of zero proves nothing: anyone can make the token log it, out of any account. Rows are inserted without a
// conflict check, which would cost a query: the chain has each log once.
async function record(event: Transfer, context: Context): Promise<void> {
  if (event.args.value === 0n) return
  const authorizationNonce = await precedingAuthorization(event, context)
  const place = placeOf(event, context.chain.id)
  const { from, to, value } = event.args
  await context.db
    .insert(tokenTransfers)
    .values({ ...place, sender: from, recipient: to, amountMicros: value, authorizationNonce, holdId: null })
  if (!authorizationNonce) return
  await context.db
    .insert(authorizationsUsed)
    .values({ ...place, logIndex: place.logIndex - 1, authorizer: from, nonce: authorizationNonce })
}

/**
 * Returns the nonce of AuthorizationUsed(sender, nonce) at exactly the log before this transfer, in its transaction;
 * else null. Read from the node by block hash: Ponder keeps receipts it has read, and a reorganisation would make them
 * wrong.
 */
async function precedingAuthorization(event: Transfer, context: Context): Promise<Hex | null> {
  const logs = await tokenLogs(event, context)
  const at = (logIndex: number) => {
    const log = logs.get(logIndex)
    return log?.transactionHash === event.transaction.hash ? log : undefined
  }
  if (at(event.log.logIndex)?.topics[0] !== TRANSFER) {
    recentLogs.delete(event.block.hash)
    throw new Error(`the node does not know transfer ${event.log.logIndex} of block ${event.block.hash} any more`)
  }
  const [topic, authorizer, nonce] = at(event.log.logIndex - 1)?.topics ?? []
  return topic === AUTHORIZATION_USED && authorizer === pad(event.args.from).toLowerCase() ? (nonce ?? null) : null
}

/**
 * Returns the token's transfers and authorizations in the event's block, by log index. One request serves all its
 * events.
 */
function tokenLogs(event: Transfer, context: Context): Promise<Map<number, TokenLog>> {
  const { hash } = event.block
  const known = recentLogs.get(hash)
  if (known) return known
  const asked = readTokenLogs(event, context)
  for (const [oldest] of recentLogs) if (recentLogs.size >= RECENT_BLOCKS) recentLogs.delete(oldest)
  recentLogs.set(hash, asked)
  asked.catch(() => recentLogs.delete(hash))
  return asked
}

async function readTokenLogs({ block, log }: Transfer, { client }: Context): Promise<Map<number, TokenLog>> {
  const filter = { address: log.address, topics: [[TRANSFER, AUTHORIZATION_USED]], blockHash: block.hash }
  const logs = await client.request({ method: 'eth_getLogs', params: [filter] })
  return new Map(logs.map((found) => [Number(found.logIndex), found]))
}
