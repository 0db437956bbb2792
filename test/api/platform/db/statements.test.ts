import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { type Db, openPool, type Tx } from '../../../../api/platform/db/pool.ts'
import { inTransaction } from '../../../../api/platform/db/transaction.ts'
import { startDatabase, type TestDatabase } from '../../../kit/stack/database.ts'

describe('statements', () => {
  let database: TestDatabase
  let owner: Db
  let db: Db

  before(async () => {
    database = await startDatabase()
    owner = openPool(database.url, { max: 1, onError: () => {} })
    db = openPool(database.url, { max: 1, onError: () => {} })
    await sql`create table public.shelf (id integer primary key, title text)`.execute(owner)
    await sql`insert into public.shelf values (1, 'Verse'), (2, 'Prose')`.execute(owner)
  })

  after(async () => {
    await db.destroy()
    await owner.destroy()
    await database.stop()
  })

  const named = async (on: Db) => {
    const { rows } = await sql<{ name: string; statement: string; uses: number }>`
      select name, statement, (generic_plans + custom_plans)::integer as uses from pg_prepared_statements`.execute(on)
    return rows
  }
  const byId = (on: Db | Tx, id: number) => sql<object>`select * from public.shelf where id = ${id}`.execute(on)
  const byIds = (on: Db, ids: number[]) => sql`select title from public.shelf where id = any(${ids})`.execute(on)

  it('are named by their text, parsed once, and planned for any values', async () => {
    for (let time = 0; time < 8; time++) await byId(db, time)
    for (const ids of [[1], [1, 2], [1, 2, 3]]) await byIds(db, ids)
    const all = await named(db)
    expect(all.map(({ uses }) => uses).sort()).to.deep.equal([3, 8])
    for (const { name } of all) expect(name).to.match(/^[0-9a-f]{40}_[0-9]+$/)
  })

  it('of lists are planned for their values each time', async () => {
    const list = sql`select title from public.shelf where id > ${0} order by id limit ${10}`
    const before = await named(db)
    expect((await list.execute(db)).rows).to.have.length(2)
    expect(await named(db)).to.deep.equal(before)
  })

  it('are named no more past a number, so that texts that vary take no more of the server’s memory', async () => {
    const pool = openPool(database.url, { max: 1, onError: () => {} })
    for (let length = 1; length <= 620; length++)
      await sql`select ${length}::integer as ${sql.ref(`n${length}`)}`.execute(pool)
    expect(await named(pool)).to.have.length(600)
    await pool.destroy()
  })

  it('are never named behind a transaction pooler', async () => {
    const pool = openPool(database.url, { max: 1, pooler: 'transaction', onError: () => {} })
    for (let time = 0; time < 8; time++) await byId(pool, time)
    expect(await named(pool)).to.deep.equal([])
    await pool.destroy()
  })

  describe('whose columns have changed since', () => {
    const change = () => sql`alter table public.shelf add column ${sql.ref(`c${changes++}`)} integer`.execute(owner)
    const columns = async (work: Promise<{ rows: object[] }>) => Object.keys((await work).rows[0] ?? {}).length
    let changes = 0
    let second: Db
    before(() => {
      second = openPool(database.url, { max: 1, onError: () => {} })
    })
    after(() => second.destroy())

    it('are named anew by a statement of its own', async () => {
      const before = await columns(byId(db, 1))
      await change()
      expect(await columns(byId(db, 1))).to.equal(before + 1)
    })

    it('are named anew by a transaction that is run again, on whichever connection', async () => {
      const before = await columns(byId(db, 1))
      await byId(second, 1)
      await change()
      const runs: string[] = []
      for (const on of [db, second]) {
        const seen = inTransaction(on, 'read write', async (tx) => {
          runs.push('run')
          await sql`update public.shelf set title = title where id = ${2}`.execute(tx)
          return byId(tx, 1)
        })
        expect(await columns(seen)).to.equal(before + 1)
      }
      // The first run told all connections of the process.
      expect(runs).to.have.length(3)
    })
  })
})
