import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import fc from 'fast-check'
import { sql } from 'kysely'
import { z } from 'zod'
import { Problem } from '../../../../api/errors.ts'
import { makePartitions } from '../../../../api/platform/db/partitions.ts'
import { type Db, openPool, type Tx } from '../../../../api/platform/db/pool.ts'
import { findPlace, readBounds, writeCursor } from '../../../../api/platform/events/cursor.ts'
import { emit } from '../../../../api/platform/events/emit.ts'
import { readLog } from '../../../../api/platform/events/log.ts'
import { placeActs } from '../../../../api/platform/events/placeActs.ts'
import { purgeEvents } from '../../../../api/platform/events/purge.ts'
import type { JobServices } from '../../../../api/platform/jobs/services.ts'
import { startDatabase, type TestDatabase } from '../../../kit/stack/database.ts'

class Crash extends Error {}

describe('the event log', { timeout: 60_000 }, () => {
  let database: TestDatabase
  let db: Db
  const open = () => openPool(database.url, { max: 20, onError: () => {} })

  before(async () => {
    database = await startDatabase()
    db = open()
  })

  after(async () => {
    await db?.destroy()
    await database?.stop()
  })

  /** A transaction that stays open until it is told how to end. */
  async function openTransaction(of = db) {
    const opened = Promise.withResolvers<Tx>()
    const ending = Promise.withResolvers<void>()
    const done = of.transaction().execute(async (tx) => {
      await sql`select pg_current_xact_id()`.execute(tx)
      opened.resolve(tx)
      await ending.promise
    })
    const tx = await opened.promise
    const commit = async () => {
      ending.resolve()
      await done
    }
    const rollBack = async () => {
      ending.reject(new Crash())
      await done.catch((error: unknown) => expect(error).to.be.instanceOf(Crash))
    }
    return { tx, commit, rollBack }
  }

  // Only its name matters here.
  const write = (tx: Tx, name: string) =>
    emit(tx, { name, when: '', payload: z.object({}) }, { payload: {}, visibleTo: [] })
  const writeAlone = (name: string) => db.transaction().execute((tx) => write(tx, name))

  /** Reads on from a place, as a channel does: what there is now, and where to go on. */
  async function read(from: bigint, limit = 1000) {
    await placeActs(db)
    const { events, end } = await readLog(db, from, limit)
    return { names: events.map(({ envelope }) => envelope.event_type), places: events.map(({ place }) => place), end }
  }
  const readEnd = async () => (await read(0n)).end
  const waiting = async () => {
    const { rows } = await sql<{ count: bigint }>`select count(*) from market.unplaced_acts`.execute(db)
    return Number(rows[0]?.count)
  }

  it('has what was committed, whichever transaction began first, and what a slow one commits behind it [spec 6.1:1]', async () => {
    const from = await readEnd()
    const [slow, fast] = [await openTransaction(), await openTransaction()]
    await write(slow.tx, 'slow.first')
    await write(fast.tx, 'fast')
    await fast.commit()
    const early = await read(from)
    await write(slow.tx, 'slow.second')
    await slow.commit()
    expect(early.names).to.deep.equal(['fast'])
    expect((await read(early.end)).names).to.deep.equal(['slow.first', 'slow.second'])
    expect((await read(from)).places).to.deep.equal([from + 1n, from + 2n, from + 3n])
  })

  it('is held back by no transaction of another database', async () => {
    const other = await startDatabase()
    const elsewhere = openPool(other.url, { max: 1, onError: () => {} })
    const idle = await openTransaction(elsewhere)
    try {
      const from = await readEnd()
      await writeAlone('now')
      expect((await read(from)).names).to.deep.equal(['now'])
    } finally {
      await idle.commit()
      await elsewhere.destroy()
      await other.stop()
    }
  })

  it('waits for nothing that was rolled back, a part of a transaction or all of it', async () => {
    const from = await readEnd()
    const gone = await openTransaction()
    await write(gone.tx, 'gone')
    await writeAlone('kept')
    await gone.rollBack()
    await db.transaction().execute(async (tx) => {
      await sql`savepoint part`.execute(tx)
      await write(tx, 'part')
      await sql`rollback to savepoint part`.execute(tx)
      await write(tx, 'rest')
    })
    expect(await read(from)).to.deep.include({ names: ['kept', 'rest'], end: from + 2n })
    expect(await waiting()).to.equal(0)
  })

  it('is placed once by whoever places at the same time, and wholly or not at all', async () => {
    const from = await readEnd()
    await writeAlone('one')
    const halfDone = await openTransaction()
    await sql`select market.place_acts(1000, true)`.execute(halfDone.tx)
    await placeActs(db, { waits: false })
    const read1 = read(from)
    await halfDone.rollBack()
    expect((await read1).names).to.deep.equal(['one'])
    const names = Array.from({ length: 60 }, (_, index) => `many.${index}`)
    const writers = [0, 1, 2].map(async (lane) => {
      for (const [index, name] of names.entries()) if (index % 3 === lane) await writeAlone(name)
    })
    const placers = [true, true, false].map(async (waits) => {
      for (let round = 0; round < 20; round++) await placeActs(db, { waits })
    })
    await Promise.all([...writers, ...placers])
    const { names: seen, places, end } = await read(from + 1n)
    expect(seen.toSorted()).to.deep.equal(names.toSorted())
    expect(places).to.deep.equal(names.map((_, index) => from + 2n + BigInt(index)))
    expect(end).to.equal(places.at(-1))
  })

  it('gives a reader every event once, what follows from another behind it, however writers overlap and it pages [spec 6.2:2]', async () => {
    const schedule = fc.record({
      // Each number takes the next step of that writer: begin, write, write, end. 4 reads, and 9 rolls writer
      // 0 back.
      steps: fc.array(fc.constantFrom(0, 1, 2, 3, 0, 1, 2, 3, 4, 9), { minLength: 4, maxLength: 20 }),
      limit: fc.integer({ min: 1, max: 3 }),
    })
    await fc.assert(fc.asyncProperty(schedule, runSchedule), { numRuns: 40 })
  })

  async function runSchedule({ steps, limit }: { steps: number[]; limit: number }): Promise<void> {
    let cursor = await readEnd()
    const writers = new Map<number, { own: string[]; open: Awaited<ReturnType<typeof openTransaction>> }>()
    const committed: string[] = []
    /** What was committed before each event was written. */
    const before = new Map<string, readonly string[]>()
    const seen: string[] = []
    const follow = async () => {
      const page = await read(cursor, limit)
      seen.push(...page.names)
      cursor = page.end
      return page.names.length
    }
    const end = async (number: number, how: 'commit' | 'rollBack') => {
      const writer = writers.get(number)
      writers.delete(number)
      await writer?.open[how]()
      if (how === 'commit') committed.push(...(writer?.own ?? []))
    }
    try {
      for (const [index, number] of steps.entries()) {
        if (number === 4) await follow()
        else if (number === 9) await end(0, 'rollBack')
        else await takeStep(number, `${number}.${index}`)
      }
    } finally {
      // A transaction left open would keep the pool from closing, and a failure from being told.
      for (const number of [...writers.keys()]) await end(number, 'commit')
    }
    for (let count = Number.POSITIVE_INFINITY; count > 0; ) count = await follow()
    expect(seen.toSorted()).to.deep.equal(committed.toSorted())
    for (const [index, name] of seen.entries())
      expect(seen.slice(0, index), `what was there before ${name}`).to.include.members([...(before.get(name) ?? [])])

    async function takeStep(number: number, name: string) {
      const writer = writers.get(number)
      if (!writer) writers.set(number, { own: [], open: await openTransaction() })
      else if (writer.own.length < 2) {
        writer.own.push(name)
        before.set(name, [...committed])
        await write(writer.open.tx, name)
      } else await end(number, 'commit')
    }
  }

  it('is purged by whole partitions, behind what is young, and an event that stays can be read', async () => {
    const partitions = async () => {
      const { rows } = await sql<{ name: string }>`
        select relname as name from pg_inherits join pg_class on pg_class.oid = inhrelid
        where inhparent in ('market.events'::regclass, 'market.placed_acts'::regclass, 'market.act_readers'::regclass)
          and relname like '%000' order by relname`.execute(db)
      return rows.map(({ name }) => name.replace(/_0+$/, ''))
    }
    const purge = (seconds: number) =>
      purgeEvents({ db, settings: { rules: { eventRetentionSeconds: seconds } } } as unknown as JobServices)
    await writeAlone('old')
    await readEnd()
    await sql`update market.events set created_at = created_at - interval '1000 seconds'`.execute(db)
    // As after a long time: the first partitions are full.
    await sql`select setval('market.event_ids', 2000000)`.execute(db)
    await sql`update market.event_log set last_place = 1000000`.execute(db)
    await writeAlone('young')
    await makePartitions({ db })
    await purge(1001)
    expect(await partitions()).to.deep.equal(['act_readers', 'events', 'placed_acts'])
    expect((await read((await readBounds(db)).purged)).names).to.include.members(['old', 'young'])
    await purge(999)
    expect(await partitions()).to.deep.equal([])
    expect((await read((await readBounds(db)).purged)).names).to.deep.equal(['young'])
  })

  it('has an event once by its event_id, also while its partition is not made, and reads it when it is', async () => {
    const eventId = randomUUID()
    const insert = () =>
      sql`insert into market.events (event_id, event_type, payload, visible_to) values (${eventId}, 'far', '{}', '{}')`.execute(
        db,
      )
    const tableOf = async () => {
      const { rows } = await sql<{ table: string }>`
        select tableoid::regclass::text as table from market.events where event_id = ${eventId}`.execute(db)
      return rows.map(({ table }) => table)
    }
    const from = await readEnd()
    await sql`select setval('market.event_ids', 20000000)`.execute(db)
    await insert()
    expect(await tableOf()).to.deep.equal(['partitions.events_rest'])
    expect(await insert().catch((error: unknown) => error)).to.include({ code: '23505' })
    await makePartitions({ db })
    expect(await tableOf()).to.deep.equal([`partitions.events_${'10'.padStart(19, '0')}`])
    expect(await insert().catch((error: unknown) => error)).to.include({ code: '23505' })
    expect((await read(from)).names).to.deep.equal(['far'])
  })

  // The last one: the database is another afterwards.
  it('goes on in a copy from a cursor that the copy has, and says so of one beyond it', async () => {
    const cursorAt = async () => {
      await placeActs(db)
      const { epoch, end } = await readBounds(db)
      return writeCursor(epoch, end)
    }
    const placeOf = async (cursor: string) => {
      await placeActs(db)
      return findPlace(db, [], cursor, await readBounds(db)).catch((error: unknown) => {
        expect(error).to.be.instanceOf(Problem)
        return undefined
      })
    }
    await writeAlone('in the copy')
    const early = await cursorAt()
    await writeAlone('in the copy, and had no place yet')
    await database.save()
    await writeAlone('lost')
    const late = await cursorAt()
    await db.destroy()
    await database.restore()
    db = open()
    const place = await placeOf(early)
    expect(await placeOf(late)).to.equal(undefined)
    await writeAlone('new')
    expect((await read(place ?? 0n)).names).to.deep.equal(['in the copy, and had no place yet', 'new'])
    expect(await placeOf(late)).to.equal(undefined)
    // `./market restored` ends the epoch too, where the copy cannot tell.
    const latest = await cursorAt()
    await sql`select market.begin_event_epoch()`.execute(db)
    await writeAlone('newer')
    expect((await read((await placeOf(latest)) ?? 0n)).names).to.deep.equal(['newer'])
  })
})
