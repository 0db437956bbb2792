import pg from 'pg'
import type { Hex } from 'viem'
import { type AskNode, readBlockLogs } from '../protocol/rpc/blockLogs.ts'
import { type BlockRange, INDEXED_TABLES, loggedPlaces, placeName } from '../protocol/rpc/indexedLogs.ts'
import { hashAt, type WatchedIndex } from './watchedIndex.ts'

/** Events at which an index and its chain differ: the numbers of their blocks. */
export interface Difference {
  /** The node logs them, and the index lacks them. */
  missing: bigint[]
  /** The index has them, and the chain does not. */
  unknown: bigint[]
}

interface IndexedPlace {
  hash: Hex
  logIndex: number
  block: bigint
}

/**
 * Compares the events of the index with those that the node logs in these blocks. They differ if the chain
 * was another when they were read, or if a node behind the address answered before it had them. A node that
 * leaves logs out of a range does not make them unknown: their blocks are read by themselves. Throws any
 * error of the node and the database.
 */
export async function compareWithChain(
  index: WatchedIndex,
  database: Pick<pg.Client, 'query'>,
  range: BlockRange,
): Promise<Difference> {
  const { env, client } = index
  const addresses = { escrow: env.ESCROW_ADDRESS, token: env.TOKEN_ADDRESS, hotWallet: env.HOT_WALLET_ADDRESS }
  const logged = await loggedPlaces(client, addresses, range)
  const indexed = await placesIndexed(index, database, range)
  const missing = [...logged].filter(([place]) => !indexed.has(place)).map(([, block]) => block)
  const unlogged = [...indexed].filter(([place]) => !logged.has(place)).map(([, place]) => place)
  return { missing: unique(missing), unknown: unique(await notInBlocks(index, unlogged)) }
}

/** Returns the blocks of those events that are not in their blocks on the chain. */
async function notInBlocks({ client }: WatchedIndex, places: readonly IndexedPlace[]): Promise<bigint[]> {
  const ask: AskNode = (method, params) =>
    client.request({ method, params } as unknown as Parameters<typeof client.request>[0])
  const unknown: bigint[] = []
  for (const [hash, events] of Map.groupBy(places, (place) => place.hash)) {
    const block = events[0]?.block
    const isOnChain = block !== undefined && (await hashAt(client, block)) === hash
    const { logs } = isOnChain ? await readBlockLogs(ask, hash) : { logs: [] }
    const isThere = ({ logIndex }: IndexedPlace) => logs.some((log) => Number(log.logIndex) === logIndex)
    unknown.push(...events.filter((event) => !isThere(event)).map((event) => event.block))
  }
  return unknown
}

async function placesIndexed(
  { schema }: WatchedIndex,
  database: Pick<pg.Client, 'query'>,
  { from, to }: BlockRange,
): Promise<Map<string, IndexedPlace>> {
  const places = INDEXED_TABLES.map(
    (table) => `select block_hash as hash, log_index as "logIndex", block_number as block
      from ${pg.escapeIdentifier(schema)}.${table} where block_number between $1 and $2`,
  )
  const { rows } = await database.query<{ hash: Hex; logIndex: number; block: string }>(places.join(' union all '), [
    from,
    to,
  ])
  return new Map(
    rows.map(({ hash, logIndex, block }) => [placeName(hash, logIndex), { hash, logIndex, block: BigInt(block) }]),
  )
}

function unique(blocks: readonly bigint[]): bigint[] {
  return [...new Set(blocks)]
}
