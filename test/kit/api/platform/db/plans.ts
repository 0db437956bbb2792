import { expect } from 'chai'
import { type CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import type { Database } from '../../../../../api/platform/db/generated/tables.ts'
import { columnTypes, type Tx } from '../../../../../api/platform/db/pool.ts'

/** A database whose reads are planned before the eyes of a test. */
export interface Planned {
  db: Kysely<Database>
  /** The plans of what a read sends, where a whole table is read only if there is no other way. */
  plansOf: (read: (tx: Tx) => Promise<unknown>) => Promise<string[]>
  /** What a verb sends in its transaction, in this order. */
  sentBy: (verb: (tx: Tx) => Promise<unknown>) => Promise<CompiledQuery[]>
}

/** Connects as `openPool` does, and with an ear for what is sent. */
export function openPlanned(databaseUrl: string): Planned {
  const queries: CompiledQuery[] = []
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1, types: columnTypes })
  // As openPool: a test's database is dropped at its end, whoever is connected.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const dialect = new PostgresDialect({ pool })
  const db = new Kysely<Database>({ dialect, log: ({ query }) => void queries.push(query) })
  const sentBy: Planned['sentBy'] = async (verb) => {
    queries.length = 0
    await db.transaction().execute(verb)
    return [...queries]
  }
  const plansOf: Planned['plansOf'] = async (read) => {
    const sent = (await sentBy(read)).filter(({ sql: text }) => /^\s*(with|select)/.test(text))
    expect(sent).to.not.have.length(0)
    return db.transaction().execute(async (tx) => {
      await sql`set local enable_seqscan = off`.execute(tx)
      const plans: string[] = []
      for (const query of sent) {
        const { rows } = await tx.executeQuery<Record<string, string>>({ ...query, sql: `explain ${query.sql}` })
        plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'))
      }
      return plans
    })
  }
  return { db, plansOf, sentBy }
}
