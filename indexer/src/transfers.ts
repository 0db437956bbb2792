import { type Context, type Event, ponder } from 'ponder:registry'
import { authorizationsUsed, tokenTransfers } from 'ponder:schema'
import { type Hex, pad, toEventSelector } from 'viem'
import { placeOf } from './place.ts'

const TRANSFER = toEventSelector('Transfer(address,address,uint256)')
const AUTHORIZATION_USED = toEventSelector('AuthorizationUsed(address,bytes32)')

type Transfer = Event<'TokenIn:Transfer'> | Event<'TokenOut:Transfer'>

ponder.on('TokenIn:Transfer', ({ event, context }) => record(event, context))
ponder.on('TokenOut:Transfer', ({ event, context }) => record(event, context))

// A transfer between two of our own addresses comes twice, from either source. One of nothing moved nothing, and proves
// nothing: anybody can have the token log it, out of any account.
async function record(event: Transfer, context: Context): Promise<void> {
  if (event.args.value === 0n) return
  const authorizationNonce = await precedingAuthorization(event, context)
  const place = placeOf(event, context.chain.id)
  const { from, to, value } = event.args
  await context.db
    .insert(tokenTransfers)
    .values({ ...place, sender: from, recipient: to, amountMicros: value, authorizationNonce, holdId: null })
    .onConflictDoNothing()
  if (!authorizationNonce) return
  await context.db
    .insert(authorizationsUsed)
    .values({ ...place, logIndex: place.logIndex - 1, authorizer: from, nonce: authorizationNonce })
    .onConflictDoNothing()
}

/**
 * The nonce of AuthorizationUsed(sender, nonce) at exactly the log before this transfer, in its transaction; else null.
 * Asked of the node by block hash: Ponder keeps receipts it has read, and a reorganisation would make them wrong.
 */
async function precedingAuthorization(event: Transfer, context: Context): Promise<Hex | null> {
  const logs = await context.client.request({
    method: 'eth_getLogs',
    params: [
      {
        address: event.log.address,
        topics: [[TRANSFER, AUTHORIZATION_USED], pad(event.args.from)],
        blockHash: event.block.hash,
      },
    ],
  })
  const at = (logIndex: number) =>
    logs.find((log) => Number(log.logIndex) === logIndex && log.transactionHash === event.transaction.hash)
  if (at(event.log.logIndex)?.topics[0] !== TRANSFER) {
    throw new Error(`the node does not know transfer ${event.log.logIndex} of block ${event.block.hash} any more`)
  }
  const previous = at(event.log.logIndex - 1)
  return previous?.topics[0] === AUTHORIZATION_USED ? (previous.topics[2] ?? null) : null
}
