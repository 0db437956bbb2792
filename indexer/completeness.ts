import pg from 'pg'
import { type BlockRange, INDEXED_TABLES, loggedPlaces } from '../protocol/rpc/indexedLogs.ts'
import type { WatchedIndex } from './finality.ts'

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
  const { env, client } = index
  const addresses = { escrow: env.ESCROW_ADDRESS, token: env.TOKEN_ADDRESS, hotWallet: env.HOT_WALLET_ADDRESS }
  const logged = await loggedPlaces(client, addresses, range)
  const indexed = await placesIndexed(index, database, range)
  return logged.size === indexed.size && [...logged].every((place) => indexed.has(place))
}

async function placesIndexed(
  { schema }: WatchedIndex,
  database: Pick<pg.Client, 'query'>,
  { from, to }: BlockRange,
): Promise<Set<string>> {
  const places = INDEXED_TABLES.map(
    (table) => `select block_hash || ' ' || log_index as place from ${pg.escapeIdentifier(schema)}.${table}
      where block_number between $1 and $2`,
  )
  const { rows } = await database.query<{ place: string }>(places.join(' union all '), [from, to])
  return new Set(rows.map(({ place }) => place))
}
