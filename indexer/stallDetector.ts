import pg from 'pg'
import type { WatchedIndex } from './watchedIndex.ts'

/** How many checks in a row must find the index at the same block, with a newer one available. */
const LOOKS = 6

/**
 * Returns a check for whether an index has stopped following its chain: Ponder then meets a block that contradicts what
 * it considers final again and again, and only a restart makes it continue from the database. Call it at every check.
 * An index that still reads past blocks reports that itself, and is not stalled. Throws any error of the node and the
 * database.
 */
export function openStallDetector({ env, client, schema }: WatchedIndex) {
  const [checkpoints, meta] = ['_ponder_checkpoint', '_ponder_meta'].map(
    (table) => `${pg.escapeIdentifier(schema)}.${table}`,
  )
  let at: string | undefined
  let looks = 0
  return async (database: Pick<pg.Client, 'query'>): Promise<boolean> => {
    const { rows } = await database.query<{ latest: string; number: string }>(
      `select latest_checkpoint as latest, substring(latest_checkpoint, 27, 16)::bigint as number from ${checkpoints}
       where chain_id = $1 and exists (select from ${meta} where key = 'app' and value->>'is_ready' = '1')`,
      [env.CHAIN_ID],
    )
    const { latest, number = '0' } = rows[0] ?? {}
    const isBehind = (await client.getBlockNumber({ cacheTime: 0 })) > BigInt(number)
    looks = latest !== undefined && latest === at && isBehind ? looks + 1 : 0
    at = latest
    return looks >= LOOKS
  }
}
