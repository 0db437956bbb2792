import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { sql } from 'kysely'
import pg from 'pg'
import { type Db, openPool, type Tx } from '../../../api/db/pool.ts'
import { demandedStatement, statement, unreadStatement } from '../../../api/db/statement.ts'
import { inTransaction } from '../../../api/db/transaction.ts'
import { startDatabase, type TestDatabase } from '../../stack/database.ts'

const UNIQUE_VIOLATION = '23505'
const IN_FAILED_TRANSACTION = '25P02'
const SYNTAX_ERROR = '42601'

describe('a transaction', () => {
  let database: TestDatabase
  let db: Db
  const put = statement<{ id: bigint }>('insert into shelf (id, title) values ($1, $2) returning id')
  const putUnread = unreadStatement('insert into shelf (id, title) values ($1, $2)')
  const titles = async () => {
    const { rows } = await sql<{ title: string }>`select title from shelf order by id`.execute(db)
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
    await sql`create table shelf (id bigint primary key, title text not null,
      twin bigint references shelf deferrable initially deferred)`.execute(db)
  })

  after(async () => {
    await db.destroy()
    await database.stop()
  })

  /** How often this process turns to Postgres while something is done. */
  const turnsOf = async (work: () => Promise<unknown>) => {
    const original = pg.Client.prototype.query
    let turns = 0
    let isSaying = false
    pg.Client.prototype.query = function query(this: pg.Client, ...args: unknown[]) {
      if (!isSaying) turns++
      isSaying = true
      setImmediate(() => {
        isSaying = false
      })
      return Reflect.apply(original, this, args)
    } as typeof original
    try {
      await work()
    } finally {
      pg.Client.prototype.query = original
    }
    return turns
  }

  it('begins with its first statement, ends with its last, and is one turn where nothing is waited for', async () => {
    const turns = await turnsOf(() =>
      write(async (tx) => {
        await putUnread(tx, [1n, 'Verse'])
        await putUnread(tx, [2n, 'Prose'])
      }),
    )
    expect(await titles()).to.deep.equal(['Verse', 'Prose'])
    expect(turns).to.equal(1)
    expect(await turnsOf(() => write(async () => {}))).to.equal(0)
  })

  it('runs what is not waited for before whatever is said after it', async () => {
    const read = await write(async (tx) => {
      await putUnread(tx, [3n, 'Drama'])
      return (await sql<{ title: string }>`select title from shelf where id = 3`.execute(tx)).rows
    })
    expect(read).to.deep.equal([{ title: 'Drama' }])
  })

  it('fails with a statement that nobody waited for, leaves nothing behind, and hands back a connection that works', async () => {
    const before = await titles()
    const failures = [
      await failureOf(write((tx) => putUnread(tx, [1n, 'Again']))),
      // Postgres says of the second that the transaction has failed already: what is told is why.
      await failureOf(
        write(async (tx) => {
          await putUnread(tx, [1n, 'Again'])
          await new Promise(setImmediate)
          await put(tx, [10n, 'Never'])
        }),
      ),
      // One that is told of a failure and goes on all the same has done nothing.
      await failureOf(
        write(async (tx) => {
          await putUnread(tx, [11n, 'Never'])
          await put(tx, [1n, 'Again']).catch(() => {})
        }),
      ),
      // What was said last goes with the commit, which is then not done either.
      await failureOf(
        write(async (tx) => {
          await put(tx, [12n, 'Never'])
          await putUnread(tx, [1n, 'Again'])
        }),
      ),
    ]
    expect(failures.map((failure) => failure?.code)).to.not.include(IN_FAILED_TRANSACTION)
    expect(failures.map((failure) => failure?.code).filter((code) => code === UNIQUE_VIOLATION)).to.have.length(3)
    expect(failures[2]).to.be.instanceOf(Error)
    expect(await titles()).to.deep.equal(before)
    // Twice as many as there are connections.
    for (const id of [20n, 21n, 22n, 23n]) expect(await write((tx) => put(tx, [id, 'After']))).to.deep.equal([{ id }])
  })

  it('is undone by what its verb throws, whatever is still on its way', async () => {
    const before = await titles()
    const failure = await failureOf(
      write(async (tx) => {
        await putUnread(tx, [30n, 'Never'])
        const reading = put(tx, [31n, 'Never'])
        reading.catch(() => {})
        throw new Error('no')
      }),
    )
    expect(failure?.message).to.equal('no')
    expect(await titles()).to.deep.equal(before)
  })

  it('that its verb gives up along with a statement that fails leaves its connection usable', async () => {
    const failure = await failureOf(
      write(async (tx) => {
        await putUnread(tx, [1n, 'Again'])
        throw new Error('no')
      }),
    )
    expect(failure).to.be.instanceOf(Error)
    for (const id of [32n, 33n, 34n]) expect(await write((tx) => put(tx, [id, 'After']))).to.deep.equal([{ id }])
  })

  it('takes no statement when it is over', async () => {
    const before = await titles()
    let late: Tx | undefined
    await write(async (tx) => {
      late = tx
      await put(tx, [40n, 'In time'])
    })
    const failure = await failureOf(put(late as Tx, [41n, 'Late']))
    expect(failure?.message).to.contain('over')
    expect(await failureOf(sql`select 1`.execute(late as Tx))).to.be.instanceOf(Error)
    expect(await titles()).to.deep.equal([...before, 'In time'])
  })

  it('fails at its end with what is only checked there', async () => {
    const failure = await failureOf(
      write((tx) => sql`insert into shelf (id, title, twin) values (50, 'Alone', 51)`.execute(tx)),
    )
    expect(failure?.code).to.equal('23503')
    const alone = sql`insert into shelf (id, title, twin) values (50, 'Alone', 51)`.execute(db)
    expect((await failureOf(alone))?.code).to.equal('23503')
  })

  it('reads what was written before it, in one moment, and writes nothing where it is to read', async () => {
    const [before, after] = await inTransaction(db, 'read only', async (tx) => {
      const count = async () => (await sql<{ n: bigint }>`select count(*) as n from shelf`.execute(tx)).rows[0]?.n
      const first = await count()
      await write((other) => put(other, [60n, 'Between']))
      return [first, await count()]
    })
    expect(before).to.equal(after)
    const failure = await failureOf(inTransaction(db, 'read only', (tx) => put(tx, [61n, 'Never'])))
    expect(failure?.code).to.equal('25006')
  })

  it('a value that cannot be sent fails its transaction, waited for or not', async () => {
    const circular: Record<string, unknown> = {}
    circular.self = circular
    const failure = await failureOf(write((tx) => put(tx, [70n, circular])))
    expect(failure).to.be.instanceOf(TypeError)
    const unread = write(async (tx) => {
      await put(tx, [70n, 'Never'])
      await putUnread(tx, [71n, circular])
    })
    expect(await failureOf(unread)).to.be.instanceOf(TypeError)
    expect(await write((tx) => put(tx, [70n, 'Straight']))).to.deep.equal([{ id: 70n }])
  })

  it('that does not begin does nothing, whatever its verb makes of that', async () => {
    const wire = await startMangling(database.url, ['read committed read write', 'read committed read wrong'])
    const mangled = openPool(wire.url, { max: 1, onError: () => {} })
    const write = (verb: (tx: Tx) => Promise<unknown>) => inTransaction(mangled, 'read write', verb)
    try {
      const before = await titles()
      for (const verb of [
        (tx: Tx) => put(tx, [80n, 'Never']),
        async (tx: Tx) => {
          await putUnread(tx, [80n, 'Never'])
          await new Promise(setImmediate)
        },
        (tx: Tx) => Promise.allSettled([put(tx, [80n, 'Never']), put(tx, [81n, 'Never'])]),
        async (tx: Tx) => {
          await put(tx, [80n, 'Never']).catch(() => {})
          await put(tx, [81n, 'Never']).catch(() => {})
        },
        async (tx: Tx) => {
          await putUnread(tx, [80n, 'Never'])
          await new Promise(setImmediate)
          await put(tx, [81n, 'Never']).catch(() => {})
          await putUnread(tx, [82n, 'Never'])
        },
      ]) {
        expect(await failureOf(write(verb))).to.have.property('code', SYNTAX_ERROR)
        expect(await titles()).to.deep.equal(before)
      }
      wire.mangle = false
      expect(await write((tx) => put(tx, [80n, 'Straight']))).to.deep.equal([{ id: 80n }])
    } finally {
      await mangled.destroy()
      await wire.stop()
    }
  })

  it('whose statements all travel at once is one without being begun, and is done whole or not at all', async () => {
    // Whatever begins a transaction fails on this wire.
    const wire = await startMangling(database.url, ['read committed read write', 'read committed read wrong'])
    const mangled = openPool(wire.url, { max: 1, onError: () => {} })
    const write = (verb: (tx: Tx) => Promise<unknown>) => inTransaction(mangled, 'read write', verb)
    const putTwo = (one: unknown[], other: unknown[]) =>
      write(async (tx) => {
        await putUnread(tx, one)
        await putUnread(tx, other)
      })
    try {
      await putTwo([90n, 'Whole'], [91n, 'Half'])
      const before = await titles()
      expect(before).to.include.members(['Whole', 'Half'])
      for (const [one, other] of [
        [92n, 90n],
        [90n, 92n],
      ]) {
        expect(await failureOf(putTwo([one, 'Never'], [other, 'Never']))).to.have.property('code', UNIQUE_VIOLATION)
      }
      const lonely = unreadStatement('insert into shelf (id, title, twin) values ($1, $2, $3)')
      const deferred = write(async (tx) => {
        await putUnread(tx, [93n, 'Never'])
        await lonely(tx, [94n, 'Never', 95n])
      })
      expect(await failureOf(deferred)).to.have.property('code', '23503')
      expect(await titles()).to.deep.equal(before)
      expect(await failureOf(write((tx) => put(tx, [96n, 'Never'])))).to.have.property('code', SYNTAX_ERROR)
    } finally {
      await mangled.destroy()
      await wire.stop()
    }
  })

  it('fails in the words of a statement that had to find its row and did not, and then nothing of it is done', async () => {
    const rename = demandedStatement('update shelf set title = $2 where id = $1')
    const [id, none] = [100n, 101n]
    const refusal = () => new Error('there is no such book')
    await write((tx) => put(tx, [id, 'Old']))
    await write((tx) => rename(tx, [id, 'New'], refusal))
    expect(await titles()).to.include('New')
    const before = await titles()
    const failing = [
      async (tx: Tx) => {
        await putUnread(tx, [102n, 'Never'])
        await rename(tx, [none, 'Never'], refusal)
        await rename(tx, [id, 'Never'], () => new Error('not this one'))
        await putUnread(tx, [103n, 'Never'])
      },
      async (tx: Tx) => {
        await rename(tx, [none, 'Never'], refusal)
        await put(tx, [102n, 'Never'])
      },
      async (tx: Tx) => {
        await put(tx, [102n, 'Never'])
        await rename(tx, [none, 'Never'], refusal)
      },
    ]
    for (const verb of failing) expect((await failureOf(write(verb)))?.message).to.equal('there is no such book')
    const alone = db.transaction().execute((tx) => rename(tx, [none, 'Never'], refusal))
    expect((await failureOf(alone))?.message).to.equal('there is no such book')
    expect((await failureOf(write((tx) => rename(tx, [id, null], refusal))))?.code).to.equal('23502')
    expect(await titles()).to.deep.equal(before)
  })

  it('a plan whose making failed is made again', async () => {
    const read = statement<{ price: number }>('select price from shelf where id = $1')
    const use = () => write((tx) => read(tx, [1n]))
    expect((await failureOf(use()))?.code).to.equal('42703')
    await sql`alter table shelf add column price integer not null default 5`.execute(db)
    for (const _ of [1, 2, 3, 4]) expect(await use()).to.deep.equal([{ price: 5 }])
  })
})

/** A way to Postgres on which words are replaced by others as long. */
async function startMangling(databaseUrl: string, [word, other]: readonly [string, string]) {
  const url = new URL(databaseUrl)
  const [port, hostname] = [Number(url.port), url.hostname]
  const wire = { url: '', mangle: true, stop: async () => {} }
  const server = createServer((socket) => {
    const onward = connect(port, hostname)
    socket.on('data', (bytes) => {
      const text = bytes.toString('latin1')
      onward.write(wire.mangle ? text.replaceAll(word, other) : text, 'latin1')
    })
    onward.pipe(socket)
    for (const [one, another] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      one.on('error', () => another.destroy())
      one.on('close', () => another.destroy())
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  url.port = String((server.address() as AddressInfo).port)
  wire.url = url.href
  wire.stop = async () => {
    server.close()
    await once(server, 'close')
  }
  return wire
}
