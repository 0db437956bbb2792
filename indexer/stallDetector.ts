import pg from 'pg'
import { isFollowing, type WatchedIndex } from './watchedIndex.ts'

/** How many checks in a row must find the index at the same block, with a newer one available. */
const LOOKS = 6
/** Each restart in a row doubles the number of checks, up to this often. */
const MOST_DOUBLINGS = 6

/**
 * Returns a check for whether an index has stopped following its chain: Ponder then meets a block that
 * contradicts what it considers final again and again, and only a restart makes it continue from the
 * database. Call it at every check. An index that still reads past blocks reports that itself, and is not
 * stalled; nor is one whose Ponder is still starting. A machine that is short of CPU may take longer for a
 * block than all checks: each unsuccessful restart doubles their number. Throws any error of the node and the
 * database.
 */
export function openStallDetector({ env, client, schema }: WatchedIndex) {
  const checkpoints = `${pg.escapeIdentifier(schema)}._ponder_checkpoint`
  let at: string | undefined
  let looks = 0
  return async (database: Pick<pg.Client, 'query'>): Promise<boolean> => {
    const { rows } = await database.query<{ latest: string; number: string; restarts: number }>(
      `select latest_checkpoint as latest, substring(latest_checkpoint, 27, 16)::bigint as number,
         coalesce((select restarts from indexer_final.stalls where schema = $2), 0) as restarts
       from ${checkpoints} where chain_id = $1 and ${isFollowing(schema)}`,
      [env.CHAIN_ID, schema],
    )
    const { latest, number = '0', restarts = 0 } = rows[0] ?? {}
    const isBehind = (await client.getBlockNumber({ cacheTime: 0 })) > BigInt(number)
    const hasMoved = latest !== undefined && at !== undefined && latest !== at
    looks = latest !== undefined && latest === at && isBehind ? looks + 1 : 0
    at = latest
    if (hasMoved && restarts > 0) await database.query('delete from indexer_final.stalls where schema = $1', [schema])
    if (looks < LOOKS * 2 ** Math.min(restarts, MOST_DOUBLINGS)) return false
    await database.query(
      `insert into indexer_final.stalls (schema, restarts) values ($1, 1)
       on conflict (schema) do update set restarts = stalls.restarts + 1`,
      [schema],
    )
    return true
  }
}
