import { sql } from 'kysely'
import type { Db } from '../../../../../api/platform/db/pool.ts'

/** The texts that any connection of a pool has named. */
export async function namedStatements(db: Db, connections: number): Promise<string[]> {
  const { promise: allBorrowed, resolve } = Promise.withResolvers<void>()
  let borrowed = 0
  const texts = await Promise.all(
    Array.from({ length: connections }, () =>
      db.connection().execute(async (connection) => {
        if (++borrowed === connections) resolve()
        await allBorrowed
        const { rows } = await sql<{ text: string }>`select statement as text from pg_prepared_statements`.execute(
          connection,
        )
        return rows.map(({ text }) => text)
      }),
    ),
  )
  return [...new Set(texts.flat())]
}
