import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import fc from 'fast-check'
import { sql } from 'kysely'
import { z } from 'zod'
import { type Db, openPool, type Tx } from '../../../../api/platform/db/pool.ts'
import { emit } from '../../../../api/platform/events/emit.ts'
import { readLog } from '../../../../api/platform/events/log.ts'
import { BEGINNING, type Position } from '../../../../api/platform/events/position.ts'
import { startDatabase, type TestDatabase } from '../../../kit/stack/database.ts'
import { untilNoOlderTransaction } from '../../../kit/stack/settled.ts'
import { until } from '../../../kit/until.ts'

describe('the log of events', () => {
  let database: TestDatabase
  let db: Db

  before(async () => {
    database = await startDatabase()
    db = openPool(database.url, { max: 20, onError: () => {} })
  })

  after(async () => {
    await db?.destroy()
    await database?.stop()
  })

  /** A transaction that stays open until it is told to end. */
  async function openTransaction() {
    const opened = Promise.withResolvers<Tx>()
    const ending = Promise.withResolvers<void>()
    const done = db.transaction().execute(async (tx) => {
      await sql`select pg_current_xact_id()`.execute(tx)
      opened.resolve(tx)
      await ending.promise
    })
    return {
      tx: await opened.promise,
      end: async () => {
        ending.resolve()
        await done
      },
    }
  }

  // Only its name matters here.
  const write = (tx: Tx, name: string) =>
    emit(tx, { name, when: '', payload: z.object({}) }, { payload: {}, visibleTo: [] })

  /** Reads on from a cursor, as a channel does: what there is now, and where to go on. */
  async function read(from: Position, limit = 1000) {
    const { events, end } = await readLog(db, from, limit)
    return { names: events.map(({ envelope }) => envelope.event_type), cursor: end }
  }

  describe('the event log', () => {
    it('shows nothing that an event could still appear before', async () => {
      const { cursor } = await read(BEGINNING)
      const slow = await openTransaction()
      const fast = await openTransaction()
      await write(slow.tx, 'slow.first')
      await write(fast.tx, 'fast')
      await fast.end()
      const early = (await read(cursor)).names
      await write(slow.tx, 'slow.second')
      await slow.end()
      await untilNoOlderTransaction(db)
      expect(early).to.deep.equal([])
      expect((await read(cursor)).names).to.deep.equal(['slow.first', 'slow.second', 'fast'])
    })

    it('follows the numbers of transactions, not their digits', async () => {
      for (const id of ['10', '9', '100'])
        await sql`insert into market.events (transaction_id, event_type, payload, visible_to)
        values (${id}::xid8, ${id}, '{}', '{}')`.execute(db)
      const first = await read(BEGINNING, 1)
      expect([...first.names, ...(await read(first.cursor, 2)).names]).to.deep.equal(['9', '10', '100'])
    })

    it('gives a reader every event once, however writers overlap and however it pages', async () => {
      const schedule = fc.record({
        // Each number takes the next step of that writer: begin, write, write, end.
        steps: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 4, maxLength: 16 }),
        limit: fc.integer({ min: 1, max: 3 }),
      })
      await fc.assert(fc.asyncProperty(schedule, runSchedule), { numRuns: 40 })
    })
  })

  async function runSchedule({ steps, limit }: { steps: number[]; limit: number }): Promise<void> {
    await untilNoOlderTransaction(db)
    let { cursor } = await read(BEGINNING)
    const writers = new Map<number, { step: number; open: Awaited<ReturnType<typeof openTransaction>> }>()
    const written: string[] = []
    const seen: string[] = []
    const follow = async (most: number) => {
      const page = await read(cursor, most)
      seen.push(...page.names)
      cursor = page.cursor
      return page.names.length
    }
    try {
      await takeSteps()
    } finally {
      // A transaction left open would keep the pool from closing, and a failure from being told.
      for (const { open } of writers.values()) await open.end()
    }
    await untilNoOlderTransaction(db)
    await until(
      'all is read',
      () => follow(limit),
      (count) => count === 0,
      { pollMs: 0 },
    )
    expect(seen.toSorted()).to.deep.equal(written.toSorted())

    async function takeSteps() {
      for (const [index, number] of steps.entries()) {
        const writer = writers.get(number)
        if (!writer) writers.set(number, { step: 0, open: await openTransaction() })
        else if (writer.step++ < 2) {
          written.push(`${number}.${index}`)
          await write(writer.open.tx, `${number}.${index}`)
        } else {
          writers.delete(number)
          await writer.open.end()
        }
        await follow(limit)
      }
    }
  }
})
