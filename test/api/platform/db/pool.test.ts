import { after, before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'chai'
import { type Kysely, sql } from 'kysely'
import { isOutage } from '../../../../api/faults.ts'
import type { Database } from '../../../../api/platform/db/generated/tables.ts'
import { type Db, openPool } from '../../../../api/platform/db/pool.ts'
import { inTransaction } from '../../../../api/platform/db/transaction.ts'
import { startDatabase, type TestDatabase } from '../../../kit/stack/database.ts'

const LONG_ENOUGH_TO_HEAR_OF_IT_MS = 200

describe('the connection pool', () => {
  let database: TestDatabase
  let db: Db

  before(async () => {
    database = await startDatabase()
    db = openPool(database.url, { max: 2, onError: () => {} })
  })

  after(async () => {
    await db.destroy()
    await database.stop()
  })

  // An 'error' event that nobody hears is an uncaught exception, which fails this file.
  for (const [what, borrow] of [
    ['a borrowed connection', <Answer>(use: (on: Kysely<Database>) => Promise<Answer>) => db.connection().execute(use)],
    ['a transaction', <Answer>(use: (on: Kysely<Database>) => Promise<Answer>) => inTransaction(db, 'read write', use)],
  ] as const) {
    it(`${what} that is cut between two queries is told of an outage by the second, and nobody else is`, async () => {
      const cut = borrow(async (connection) => {
        const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(connection)
        await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(db)
        await delay(LONG_ENOUGH_TO_HEAR_OF_IT_MS)
        await sql`select 1`.execute(connection)
      })
      expect(isOutage(await cut.catch((error: Error) => error))).to.equal(true)
      for (const _ of [1, 2, 3]) expect((await sql`select 1 as one`.execute(db)).rows).to.deep.equal([{ one: 1 }])
    })
  }

  it('reads a time that no Date can be as the nearest that one can, so one row stops no reader of many', async () => {
    const { rows } = await sql<{ at: Date }>`
      select unnest(array['-infinity', '294276-12-31 UTC', 'infinity', '2026-11-28 12:00 UTC']::timestamptz[]) as at`.execute(
      db,
    )
    const nearest = ['-271821-04-20T00:00:00.000Z', '+275760-09-13T00:00:00.000Z', '+275760-09-13T00:00:00.000Z']
    expect(rows.map(({ at }) => at.toISOString())).to.deep.equal([...nearest, '2026-11-28T12:00:00.000Z'])
  })

  for (const pooler of ['none', 'transaction'] as const) {
    it(`ends a statement that the server does not end, and the pool serves on (pooler: ${pooler})`, async () => {
      const limited = openPool(database.url, { max: 1, pooler, statementTimeoutMs: 200, onError: () => {} })
      try {
        const slept = await sql`select pg_sleep(${20})`.execute(limited).catch((error: Error) => error)
        expect(isOutage(slept)).to.equal(true)
        const within = inTransaction(limited, 'read write', (tx) => sql`select pg_sleep(${20})`.execute(tx))
        expect(isOutage(await within.catch((error: Error) => error))).to.equal(true)
        expect((await sql`select 1 as one`.execute(limited)).rows).to.deep.equal([{ one: 1 }])
      } finally {
        await limited.destroy()
      }
    })
  }
})
