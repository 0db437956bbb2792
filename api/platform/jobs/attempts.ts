import { type Expression, type Kysely, type Selectable, type SqlBool, sql } from 'kysely'
import type { Database } from '../db/generated/tables.ts'
import type { Db } from '../db/pool.ts'

const MAX_ATTEMPTS = 3

/** A row with an attempt in progress. */
export interface Begun<Row> {
  row: Row
  /** It has had the maximum number of attempts: the caller should give it up. */
  isUsedUp: boolean
}

/**
 * Counts an attempt at the work on a row before the work begins: even work that kills this process is tried
 * three times at most. There is no lease: workers that run the job at once each count an attempt, so a row
 * may be given up while an attempt goes on. What records the result must take it then, unless giving up is
 * final for everybody who read it. The condition selects the row by its key, while it waits for the work.
 * Returns undefined if no row waits any more.
 */
export async function beginAttempt<Table extends keyof Database>(
  db: Db,
  table: Table,
  counter: keyof Selectable<Database[Table]> & string,
  which: Expression<SqlBool>,
): Promise<Begun<Selectable<Database[Table]>> | undefined> {
  // Kysely infers nothing about a table that is a parameter.
  const row = await (db as unknown as Kysely<Record<string, Record<string, unknown>>>)
    .updateTable(table as string)
    .set({ [counter]: sql`${sql.ref(counter)} + 1` })
    .where(which)
    .returningAll()
    .executeTakeFirst()
  return row && { row: row as Selectable<Database[Table]>, isUsedUp: Number(row[counter]) > MAX_ATTEMPTS }
}
