import { type Context, type Event, ponder } from 'ponder:registry'
import { authorizationsUsed, tokenTransfers } from 'ponder:schema'
import { type Address, type Hex, isAddressEqual, pad } from 'viem'
import { AUTHORIZATION_USED, TRANSFER } from '../../protocol/rpc/topics.ts'
import { placeOf } from './place.ts'

// Events arrive block by block.
const RECENT_BLOCKS = 8

interface BlockLog {
  address: Address
  transactionHash: Hex | null
  topics: readonly Hex[]
}

const recentLogs = new Map<Hex, Promise<Map<number, BlockLog>>>()

type Transfer = Event<'TokenIn:Transfer'> | Event<'TokenOut:Transfer'>

ponder.on('TokenIn:Transfer', ({ event, context }) => record(event, context))
ponder.on('TokenOut:Transfer', async ({ event, context }) => {
  // A transfer between two of our own addresses arrives twice, once from each source.
  const { Escrow, HotWallet } = context.contracts
  const isInflow = [Escrow, HotWallet].some(({ address }) => isAddressEqual(address, event.args.to))
  if (!isInflow) await record(event, context)
})

// A transfer of zero proves nothing: anyone can make the token log it, out of any account. Rows are inserted
// without a conflict check, which would cost a query: `nodeRelay.ts` gives each log once.
async function record(event: Transfer, context: Context): Promise<void> {
  if (event.args.value === 0n) return
  const authorizationNonce = await precedingAuthorization(event, context)
  // If there is no row, the check finds the event missing; a wrong row would hide the fault.
  if (authorizationNonce === undefined) return
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
 * Returns the nonce of AuthorizationUsed(sender, nonce) at exactly the log before this transfer, in its
 * transaction; else null. Undefined when the node leaves out one of the two logs. Read from the node by block
 * hash: Ponder keeps receipts it has read, and a reorganisation would make them wrong.
 */
async function precedingAuthorization(event: Transfer, context: Context): Promise<Hex | null | undefined> {
  const { logIndex, address } = event.log
  const logs = await blockLogs(event, context)
  const [before, itself] = [logs.get(logIndex - 1), logs.get(logIndex)]
  if (itself?.topics[0] !== TRANSFER || (logIndex > 0 && !before)) {
    recentLogs.delete(event.block.hash)
    return undefined
  }
  const isOfToken = before && isAddressEqual(before.address, address)
  if (!isOfToken || before.transactionHash !== event.transaction.hash) return null
  const [topic, authorizer, nonce] = before.topics
  return topic === AUTHORIZATION_USED && authorizer === pad(event.args.from).toLowerCase() ? (nonce ?? null) : null
}

/** Returns all logs of the event's block, by log index. One request serves all its events. */
function blockLogs({ block: { hash } }: Transfer, context: Context): Promise<Map<number, BlockLog>> {
  const known = recentLogs.get(hash)
  if (known) return known
  const asked = readBlockLogs(hash, context)
  for (const [oldest] of recentLogs) if (recentLogs.size >= RECENT_BLOCKS) recentLogs.delete(oldest)
  recentLogs.set(hash, asked)
  asked.catch(() => recentLogs.delete(hash))
  return asked
}

async function readBlockLogs(blockHash: Hex, { client }: Context): Promise<Map<number, BlockLog>> {
  const logs = await client.request({ method: 'eth_getLogs', params: [{ blockHash }] })
  return new Map(logs.map((found) => [Number(found.logIndex), found]))
}
