import pg from 'pg'
import type { WatchedIndex } from './finality.ts'

/** How often in a row the index must be found at the same block, with a newer one there to be read. */
const LOOKS = 6

/**
 * Finds out whether an index that follows its chain has stopped to: Ponder meets a block that does not fit what it takes
 * for final again and again, and only a new start has it begin from what is in the database. It is to be asked at every
 * look. One that still reads the past says so itself, and takes its time. Throws what the node and the database throw.
 */
export function openStandstill({ env, client, schema }: WatchedIndex) {
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
