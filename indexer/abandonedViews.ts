import type pg from 'pg'
import { isWritten } from './lock.ts'
import { VIEWS_SCHEMA } from './schemaName.ts'
import { isFollowing, type WatchedIndex } from './watchedIndex.ts'

/**
 * How many checks in a row must find the views abandoned: an indexer that restarts leaves its schema for a
 * moment.
 */
const LOOKS = 2

const SHOWN = `select table_schema as schema from information_schema.view_table_usage
  where view_schema = $1 and view_name = '_ponder_checkpoint'`

/**
 * Returns a check for whether this index is ready while the views show none, or one that nobody writes. The
 * indexer of each build points the views at its own schema when it becomes ready, so they stay with the build
 * that did so last, even after it has ended. A restart of this one takes them. Call it at every check. Throws
 * any error of the database.
 */
export function openAbandonedViews({ schema }: WatchedIndex) {
  let looks = 0
  return async (database: Pick<pg.Client, 'query'>): Promise<boolean> => {
    const following = await database.query(`select where ${isFollowing(schema)}`)
    const { rows } = await database.query<{ schema: string }>(SHOWN, [VIEWS_SCHEMA])
    const shown = rows[0]?.schema
    const isOurs = shown === schema
    const isAbandoned =
      following.rowCount === 1 && !isOurs && !(shown !== undefined && (await isWritten(database, shown)))
    looks = isAbandoned ? looks + 1 : 0
    return looks >= LOOKS
  }
}
