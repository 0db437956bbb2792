import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { after, before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'chai'
import { type Kysely, sql } from 'kysely'
import { type Db, inOneTurn, openPool } from '../../../api/db/pool.ts'
import type { Database } from '../../../api/db/schema.ts'
import { statement } from '../../../api/db/statement.ts'
import { inTransaction } from '../../../api/db/transaction.ts'
import { isOutage } from '../../../api/faults.ts'
import { ROOT } from '../../../cli/paths.ts'
import { startDatabase, type TestDatabase } from '../../stack/database.ts'

const LONG_ENOUGH_TO_HEAR_OF_IT_MS = 200
const DIVISION_BY_ZERO = '22012'
const FEATURE_NOT_SUPPORTED = '0A000'

const codeOf = (work: Promise<unknown>) => work.catch((error: Error & { code?: string }) => error.code)

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

  it('a shared statement is planned once a connection, and goes on when a migration changes what it reads', async () => {
    await db.connection().execute(async (connection) => {
      await sql`create temporary table shelf (id bigint, title text)`.execute(connection)
      await sql`insert into shelf values (1, 'Verse')`.execute(connection)
      const read = statement<{ title: string }>('select title from shelf where id = $1')
      for (const _ of [1, 2, 3]) expect(await read(connection as Db, [1n])).to.deep.equal([{ title: 'Verse' }])
      const { rows } = await sql<{ uses: bigint }>`
        select generic_plans + custom_plans as uses from pg_prepared_statements
        where statement like 'select title from shelf%'`.execute(connection)
      expect(rows).to.deep.equal([{ uses: 3n }])
      await sql`alter table shelf add column price bigint`.execute(connection)
      await sql`insert into shelf values (2, 'Prose', 20)`.execute(connection)
      expect(await read(connection as Db, [2n])).to.deep.equal([{ title: 'Prose' }])
    })
  })

  it('reads the rows of a shared statement alike, whether it was told of their columns with them or before', async () => {
    const read = statement<Record<string, unknown>>(`
      select id, title, written_at, null as nothing, tags from (values
        (1::bigint, 'Verse', '2026-01-02T03:04:05.678Z'::timestamptz, array['old', 'new']), (2, null, null, null)
      ) shelf (id, title, written_at, tags) where id >= $1 order by id`)
    const rows = [
      { id: 1n, title: 'Verse', written_at: new Date('2026-01-02T03:04:05.678Z'), nothing: null, tags: ['old', 'new'] },
      { id: 2n, title: null, written_at: null, nothing: null, tags: null },
    ]
    const ids = [1n, 1n, 2n, 3n]
    const found = await inOneTurn(db, (session) => Promise.all(ids.map((id) => read(session, [id]))))
    expect(found).to.deep.equal([rows, rows, rows.slice(1), []])
  })

  it('has a connection back when the statements of a turn are over, whatever their answers are still waited for', async () => {
    const read = statement<{ one: number }>('select 1 as one')
    const small = openPool(database.url, { max: 1, onError: () => {} })
    const readTwice = () =>
      inOneTurn(small, async (session) => {
        const first = await read(session, [])
        return [first, await read(small, [])]
      })
    expect(await Promise.all([readTwice(), readTwice()])).to.deep.equal([
      [[{ one: 1 }], [{ one: 1 }]],
      [[{ one: 1 }], [{ one: 1 }]],
    ])
    const late = inOneTurn(small, (session) => read(session, []).then(() => read(session, [])))
    expect(await late.catch((error: Error) => error.message)).to.equal('a statement came after its turn')
    await small.destroy()
  })

  it('a shared statement whose run fails runs again; one whose rows a migration makes others is refused, not misread', async () => {
    await db.connection().execute(async (connection) => {
      await sql`create temporary table prices (price bigint)`.execute(connection)
      await sql`insert into prices values (6)`.execute(connection)
      const share = statement<{ share: bigint }>('select price / $1 as share from prices')
      for (const _ of [1, 2]) {
        expect(await share(connection as Db, [2n])).to.deep.equal([{ share: 3n }])
        expect(await codeOf(share(connection as Db, [0n]))).to.equal(DIVISION_BY_ZERO)
      }
      await sql`alter table prices alter column price type numeric`.execute(connection)
      expect(await codeOf(share(connection as Db, [2n]))).to.equal(FEATURE_NOT_SUPPORTED)
    })
  })

  it('every shared statement names its columns', async () => {
    const found = await Array.fromAsync(glob('api/**/*.ts', { cwd: ROOT }))
    const texts = found.flatMap((path) => [
      ...readFileSync(`${ROOT}${path}`, 'utf8').matchAll(
        /[^a-zA-Z](?:statement|unreadStatement)(?:<[^(]*>)?\(\s*([`'])(.*?)\1/gs,
      ),
    ])
    expect(texts).to.have.length.above(5)
    for (const [, , text] of texts) expect(text).to.not.match(/(select|returning|,)\s+(\w+\.)?\*/)
  })
})
