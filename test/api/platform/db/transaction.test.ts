import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import { type Db, type IndexDb, openPool, type Tx } from '../../../../api/platform/db/pool.ts'
import { inIndexSnapshot, inTransaction } from '../../../../api/platform/db/transaction.ts'
import { startDatabase, type TestDatabase } from '../../../kit/stack/database.ts'

const FOREIGN_KEY_VIOLATION = '23503'
const UNIQUE_VIOLATION = '23505'
const READ_ONLY_TRANSACTION = '25006'

describe('a transaction', () => {
  let database: TestDatabase
  let db: Db
  const put = async (db: Db, id: bigint, title: unknown) => {
    const { rows } = await sql<{
      id: bigint
    }>`insert into public.shelf (id, title) values (${id}, ${title}) returning id`.execute(db)
    return rows
  }
  const titles = async () => {
    const { rows } = await sql<{ title: string }>`select title from public.shelf order by id`.execute(db)
    return rows.map(({ title }) => title)
  }
  const write = <Answer>(verb: (tx: Tx) => Promise<Answer>) => inTransaction(db, 'read write', verb)
  const failureOf = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      (error: Error & { code?: string }) => error,
    )

  before(async () => {
    database = await startDatabase()
    db = openPool(database.url, { max: 2, onError: () => {} })
    await sql`create table public.shelf (id bigint primary key, title text not null,
      twin bigint references public.shelf deferrable initially deferred)`.execute(db)
    await write((tx) => put(tx, 1n, 'Verse'))
  })

  after(async () => {
    await db.destroy()
    await database.stop()
  })

  it('fails with its first failure, leaves nothing behind, and hands back connections that work', async () => {
    const before = await titles()
    const failure = await failureOf(
      write(async (tx) => {
        await put(tx, 10n, 'Never')
        await put(tx, 1n, 'Again')
      }),
    )
    expect(failure?.code).to.equal(UNIQUE_VIOLATION)
    expect(await titles()).to.deep.equal(before)
    // Twice as many as there are connections.
    for (const id of [20n, 21n, 22n, 23n]) expect(await write((tx) => put(tx, id, 'After'))).to.deep.equal([{ id }])
  })

  it('fails when its verb goes on after a statement that failed', async () => {
    const before = await titles()
    const swallowing = write(async (tx) => {
      await put(tx, 11n, 'Never')
      await put(tx, 1n, 'Again').catch(() => {})
    })
    expect(await failureOf(swallowing)).to.be.instanceOf(Error)
    expect(await titles()).to.deep.equal(before)
  })

  it('is undone by what its verb throws', async () => {
    const before = await titles()
    const failure = await failureOf(
      write(async (tx) => {
        await put(tx, 30n, 'Never')
        throw new Error('no')
      }),
    )
    expect(failure?.message).to.equal('no')
    expect(await titles()).to.deep.equal(before)
  })

  it('takes no statement when it is over', async () => {
    const before = await titles()
    let late: Tx | undefined
    await write(async (tx) => {
      late = tx
      await put(tx, 40n, 'In time')
    })
    expect(await failureOf(put(late as Tx, 41n, 'Late'))).to.be.instanceOf(Error)
    expect(await titles()).to.deep.equal([...before, 'In time'])
  })

  it('fails at its end with what is only checked there', async () => {
    const failure = await failureOf(
      write((tx) => sql`insert into public.shelf (id, title, twin) values (50, 'Alone', 51)`.execute(tx)),
    )
    expect(failure?.code).to.equal(FOREIGN_KEY_VIOLATION)
  })

  it('reads one snapshot, and writes nothing where it is to read', async () => {
    const [before, after] = await inTransaction(db, 'read only', async (tx) => {
      const count = async () =>
        (await sql<{ n: bigint }>`select count(*) as n from public.shelf`.execute(tx)).rows[0]?.n
      const first = await count()
      await write((other) => put(other, 60n, 'Between'))
      return [first, await count()]
    })
    expect(before).to.equal(after)
    const failure = await failureOf(inTransaction(db, 'read only', (tx) => put(tx, 61n, 'Never')))
    expect(failure?.cause).to.have.property('code', READ_ONLY_TRANSACTION)
  })

  it('is run again after a deadlock and after a serialization failure, four times at most', async () => {
    for (const code of ['deadlock_detected', 'serialization_failure']) {
      let attempts = 0
      const failing = (times: number) =>
        write(async (tx) => {
          attempts += 1
          if (attempts <= times)
            await sql.raw(`do $$ begin raise exception 'lost' using errcode = '${code}'; end $$`).execute(tx)
          return attempts
        })
      expect(await failing(3)).to.equal(4)
      attempts = 0
      expect(await failureOf(failing(4))).to.be.instanceOf(Error)
      expect(attempts).to.equal(4)
    }
  })

  it('that reads the index is run again after a deadlock with an indexer that points the views at another schema', async () => {
    const show = (tx: Db, name: string, what: string) =>
      sql`create view public.${sql.id(name)} as select ${sql.lit(what)} as shown`.execute(tx)
    for (const name of ['first', 'second']) await show(db, name, 'former')
    const showNext = async (tx: Tx, name: string) => {
      await sql`drop view public.${sql.id(name)}`.execute(tx)
      await show(tx, name, 'next')
    }
    const shownBy = async (tx: Pick<IndexDb, 'getExecutor'>, name: string) =>
      (await sql<{ shown: string }>`select shown from public.${sql.id(name)}`.execute(tx as IndexDb)).rows[0]?.shown
    const [replaced, read] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const replacing = write(async (tx) => {
      await read.promise
      await showNext(tx, 'second')
      replaced.resolve()
      // Waits for the reader, which waits for the other view.
      await showNext(tx, 'first')
    })
    const shown = inIndexSnapshot(db as unknown as IndexDb, async (tx) => {
      await sql`set local deadlock_timeout = '10ms'`.execute(tx)
      const first = await shownBy(tx, 'first')
      read.resolve()
      await replaced.promise
      return [first, await shownBy(tx, 'second')]
    })
    expect(await shown).to.deep.equal(['next', 'next'])
    await replacing
  })

  it('a value that cannot be sent fails its transaction', async () => {
    const circular: Record<string, unknown> = {}
    circular.self = circular
    expect(await failureOf(write((tx) => put(tx, 70n, circular)))).to.be.instanceOf(TypeError)
    expect(await write((tx) => put(tx, 70n, 'Straight'))).to.deep.equal([{ id: 70n }])
  })
})
