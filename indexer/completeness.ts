import pg from 'pg'
import { type Hex, pad, toEventSelector } from 'viem'
import { escrowEvents } from '../protocol/abi/escrowEvents.ts'
import { readLogs } from '../protocol/logs.ts'
import { TRANSFER } from '../protocol/topics.ts'
import type { WatchedIndex } from './finality.ts'

/** The tables with one row per event of a kind, with its place. */
const TABLES = [
  ...['holds', 'releases', 'reclaims', 'withdrawals', 'strays_returned'],
  ...['stray_announcements', 'pauses', 'resolver_changes', 'rescues', 'token_transfers'],
]
const ESCROW_EVENTS = new Set<string>([
  ...['Funded', 'Released', 'Reclaimed', 'Withdrawn', 'StrayReturned'],
  ...['StrayAnnounced', 'StrayCancelled', 'Paused', 'Unpaused', 'ResolverChangeScheduled', 'Rescued'],
])
const ESCROW_TOPICS = escrowEvents.filter(({ name }) => ESCROW_EVENTS.has(name)).map((event) => toEventSelector(event))

/** A range of blocks, both ends included. */
export interface BlockRange {
  from: bigint
  to: bigint
}

/**
 * Returns whether the index has exactly the events that the node logs in these blocks. They differ if the chain was
 * another when they were read, or if a node behind the address answered before it had them. Throws any error of the
 * node and the database.
 */
export async function showsWhatChainDoes(
  index: WatchedIndex,
  database: Pick<pg.Client, 'query'>,
  range: BlockRange,
): Promise<boolean> {
  const [logged, indexed] = [await placesLogged(index, range), await placesIndexed(index, database, range)]
  return logged.size === indexed.size && [...logged].every((place) => indexed.has(place))
}

async function placesLogged({ env, client }: WatchedIndex, { from, to }: BlockRange): Promise<Set<string>> {
  const ours: Hex[] = [env.ESCROW_ADDRESS, env.HOT_WALLET_ADDRESS].map((address) => pad(address).toLowerCase() as Hex)
  const range = { fromBlock: from, toBlock: to }
  const found = await Promise.all([
    readLogs(client, { address: env.ESCROW_ADDRESS, topics: [ESCROW_TOPICS], ...range }),
    readLogs(client, { address: env.TOKEN_ADDRESS, topics: [TRANSFER, null, ours], ...range }),
    readLogs(client, { address: env.TOKEN_ADDRESS, topics: [TRANSFER, ours], ...range }),
  ])
  // A transfer of zero is not indexed.
  const logs = found.flat().filter(({ topics, data }) => topics[0] !== TRANSFER || BigInt(data) > 0n)
  return new Set(logs.map(({ blockHash, logIndex }) => `${blockHash} ${logIndex}`))
}

async function placesIndexed(
  { schema }: WatchedIndex,
  database: Pick<pg.Client, 'query'>,
  { from, to }: BlockRange,
): Promise<Set<string>> {
  const places = TABLES.map(
    (table) => `select block_hash || ' ' || log_index as place from ${pg.escapeIdentifier(schema)}.${table}
      where block_number between $1 and $2`,
  )
  const { rows } = await database.query<{ place: string }>(places.join(' union all '), [from, to])
  return new Set(rows.map(({ place }) => place))
}
