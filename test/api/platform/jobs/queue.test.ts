import { after, afterEach, before, describe, test } from 'node:test'
import { createPostgresBackend, Queue, Worker } from 'bullmq'
import { expect } from 'chai'
import { sql } from 'kysely'
import pg from 'pg'
import { pino } from 'pino'
import { openPool } from '../../../../api/platform/db/pool.ts'
import { emptyQueue, type QueuePlace } from '../../../../api/platform/jobs/connection.ts'
import { JobQueue, type JobQueueOptions } from '../../../../api/platform/jobs/queue.ts'
import type { Job } from '../../../../api/platform/jobs/services.ts'
import { startWorld, type World } from '../../../kit/api/payments/escrow/world.ts'
import { emptyRedis, startRedis, type TestRedis, withoutRedis } from '../../../kit/redis.ts'
import { fillWithJunk } from '../../../kit/stack/junk.ts'
import { privilegesOf } from '../../../kit/stack/privileges.ts'
import { until } from '../../../kit/until.ts'

const HOUR_MS = 3_600_000
// A lock that outlasts a busy test process: one that ends in it has its job run twice.
const TIMING = { lockMs: 1_000, stalledLookMs: 100, scheduleLookMs: 50 }
/**
 * The locks of a worker that loses the CPU for several of them in a test of a second or two: a twentieth of
 * the real ones.
 */
const SHORT_TIMING = { lockMs: 300, stalledLookMs: 50, scheduleLookMs: 50 }
const LOCK_NOT_AVAILABLE = '55P03'
const log = pino({ level: 'silent' })

/** A job of a test. What is to be done for it is a number, as rows would say it; each run takes all of it. */
interface Counted {
  job: Job
  waiting: number
  done: number
  runs: number
  atOnce: number
  most: number
}

function counted(name: string, changes: Partial<Job> = {}): Counted {
  const all: Counted = {
    ...{ waiting: 0, done: 0, runs: 0, atOnce: 0, most: 0 },
    job: {
      ...{ name, everyMs: HOUR_MS, isFenced: false },
      run: async () => {
        all.runs++
        all.most = Math.max(all.most, ++all.atOnce)
        all.done += all.waiting
        all.waiting = 0
        all.atOnce--
      },
      ...changes,
    },
  }
  return all
}

interface Fixture {
  place: QueuePlace
  /** Removes all that is in the queue. */
  empty: () => Promise<void>
  /**
   * How often a job runs at most whose worker stood still. Redis forgets its lock meanwhile, so that a check
   * gives it back once.
   */
  runsAfterPause: number
  /** A worker that takes the next job and is gone with it. */
  takeAndDie: (name: string) => Promise<void>
}

// The first tick of each schedule comes at once, so a job may run once more than it is woken.
function behaves(fixture: () => Fixture) {
  const open: JobQueue[] = []

  afterEach(async () => {
    await Promise.all(open.splice(0).map((queue) => queue.close()))
    await fixture().empty()
  })

  const openQueue = async (jobs: readonly Counted[], changes: Partial<JobQueueOptions> = {}) => {
    const run = async (job: Job) => {
      await job.run({} as Parameters<Job['run']>[0])
      return job.dueInMs?.({} as Parameters<Job['run']>[0])
    }
    const queue = await JobQueue.open({
      ...{ place: fixture().place, jobs: jobs.map(({ job }) => job), run, log, timing: TIMING },
      ...changes,
    })
    open.push(queue)
    return queue
  }

  test('runs what is woken, and nothing that it does not know', async () => {
    const one = counted('one')
    const queue = await openQueue([one])
    queue.wake('another')
    queue.wake('one')
    await until('it ran', () => one.runs >= 1)
  })

  test('loses no wake-up: whatever comes while a job runs makes it run once more', async () => {
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
    const runs = { begun: 0, ended: 0 }
    const run = async () => {
      if (++runs.begun === 1) await mayEnd
      runs.ended++
    }
    const other = counted('other')
    const queue = await openQueue([counted('long', { run }), other])
    queue.wake('long')
    await until('it has begun', () => runs.begun === 1)
    for (let time = 1; time <= 3; time++) {
      const before = other.runs
      // In one batch with the other job, which ran: it is in the queue.
      for (const name of ['long', 'other']) queue.wake(name)
      await until('the other ran meanwhile', () => other.runs > before)
    }
    end()
    await until('it ran once more', () => runs.ended === 2)
    const before = other.runs
    queue.wake('other')
    await until('the other ran after it', () => other.runs > before)
    expect(runs).to.deep.equal({ begun: 2, ended: 2 })
  })

  test('two workers run a job one after the other, and nothing waits for ever', async () => {
    const shared = counted('shared', { pauseMs: 2 })
    const queues = [await openQueue([shared]), await openQueue([shared])]
    for (let round = 0; round < 40; round++) {
      shared.waiting++
      queues[round % 2]?.wake('shared')
      await new Promise((resolve) => setTimeout(resolve, 3))
    }
    await until('all is done', () => shared.done === 40)
    expect(shared.most).to.equal(1)
    expect(shared.runs).to.be.at.least(2)
  })

  test('runs a job no sooner than its pause after its last run, however often it is woken', async () => {
    const pauseMs = 150
    const ranAtMs: number[] = []
    const run = async () => void ranAtMs.push(performance.now())
    const queue = await openQueue([counted('paused', { run, pauseMs })])
    queue.wake('paused')
    await until('it ran', () => ranAtMs.length >= 1)
    queue.wake('paused')
    await until('it ran again', () => ranAtMs.length >= 2)
    const [first = 0, second = 0] = ranAtMs
    expect(second - first).to.be.at.least(pauseMs - 1)
  })

  test('runs a job by itself when it is due, unless its schedule comes first', async () => {
    const answers = [30, 2 * HOUR_MS]
    const due = counted('due', { dueInMs: async () => answers.shift() })
    const queue = await openQueue([due])
    queue.wake('due')
    await until('it ran when it was due', () => due.runs >= 2)
  })

  test('runs by its schedule what nobody woke', async () => {
    const scheduled = counted('scheduled', { everyMs: 60 })
    await openQueue([scheduled])
    await until('it ran three times', () => scheduled.runs >= 3)
  })

  test('runs by its schedule after a worker whose clock was an hour ahead', async (context) => {
    const [now, ahead] = [Date.now, counted('ahead', { everyMs: 80 })]
    const clock = context.mock.method(Date, 'now', () => now() + HOUR_MS)
    const queue = await openQueue([ahead])
    await until('it ran by that clock', () => ahead.runs >= 2)
    await queue.close()
    clock.mock.restore()
    const scheduled = counted('ahead', { everyMs: 80 })
    await openQueue([scheduled])
    await until('it runs by ours', () => scheduled.runs >= 2, Boolean, { limitMs: 5_000 })
  })

  test('heals by its schedule when it was emptied while something waited', async () => {
    const waits = counted('waits', { everyMs: 70 })
    await openQueue([waits])
    await until('it ran', () => waits.runs > 0)
    await fixture().empty()
    waits.done = 0
    waits.waiting = 1
    await until('it is done by the schedule', () => waits.done === 1)
  })

  test('does not multiply its jobs while it gets too little CPU to renew their locks, and works again afterwards', async () => {
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
    let isSlow = false
    const slow = Array.from({ length: 8 }, (_, index) => {
      const run = async () => {
        if (!isSlow) return
        one.runs++
        await mayEnd
      }
      const one = counted(`slow${index}`, { run })
      return one
    })
    const other = counted('other')
    // As many jobs run at once as there are: these leave room to run a slow one again and again.
    const idle = Array.from({ length: 60 }, (_, index) => counted(`idle${index}`))
    const queue = await openQueue([...slow, other, ...idle], { timing: SHORT_TIMING })
    const runOther = async () => {
      const before = other.runs
      queue.wake('other')
      await until('the other job ran', () => other.runs > before)
    }
    try {
      const startedMs = performance.now()
      await until('the checks after the start are over', async () => {
        await runOther()
        return performance.now() - startedMs > 2 * SHORT_TIMING.lockMs
      })
      isSlow = true
      for (const { job } of slow) queue.wake(job.name)
      await until('all have begun', () => slow.every(({ runs }) => runs === 1))
      for (let pause = 0; pause < 6; pause++) {
        haveNoCpu(1.5 * SHORT_TIMING.lockMs)
        await runOther()
      }
      for (let time = 0; time < 10; time++) await runOther()
      expect(Math.max(...slow.map(({ runs }) => runs))).to.be.at.most(fixture().runsAfterPause)
    } finally {
      end()
    }
    const runs = slow.map((each) => each.runs)
    for (const { job } of slow) queue.wake(job.name)
    await until('all ran again', () => slow.every((each, place) => each.runs > (runs[place] ?? 0)))
  })

  test('runs again what a worker had begun that was killed before it could say that it was done', async () => {
    await fixture().takeAndDie('taken')
    const taken = counted('taken')
    taken.waiting = 1
    const queue = await openQueue([taken])
    queue.wake('taken')
    await until('another has run it', () => taken.done === 1)
  })
}

describe('the queue of jobs', () => {
  let world: World

  before(async () => {
    world = await startWorld()
  })

  after(() => world?.stop())

  describe('in PostgreSQL', () => {
    behaves(() => ({
      place: { databaseUrl: world.roleUrls.worker },
      runsAfterPause: 1,
      empty: async () => {
        const { rows } = await sql<{ name: string }>`
          select format('bullmq.%I', relname) as name from pg_class
          where relnamespace = 'bullmq'::regnamespace and relkind = 'r' and relname not like '%migration%'`.execute(
          world.db,
        )
        const tables = rows.map(({ name }) => name).join()
        // All tables or none: workers take them in another order.
        const emptied = () =>
          world.db.transaction().execute(async (tx) => {
            await sql.raw(`lock table ${tables} in access exclusive mode nowait`).execute(tx)
            await sql.raw(`truncate ${tables}`).execute(tx)
            return true
          })
        await until('no worker uses the tables', () =>
          emptied().catch((error: { code?: string }) => {
            if (error.code !== LOCK_NOT_AVAILABLE) throw error
            return false
          }),
        )
      },
      takeAndDie: async (name) => {
        const options = { connection: { connectionString: world.databaseUrl, max: 1 } }
        const queue = new Queue('jobs', options, createPostgresBackend)
        const taking = taken()
        const worker = new Worker('jobs', taking.process, { ...options, ...DYING }, createPostgresBackend)
        await die(queue, worker, taking.begun, name)
      },
    }))

    test('runs jobs to their end after a stolen login did whatever it may in it, once a worker has emptied it [risk market-worker]', async () => {
      const thief = new pg.Client(world.roleUrls.worker)
      const owner = new pg.Client(world.databaseUrl)
      await Promise.all([thief.connect(), owner.connect()])
      const db = openPool(world.roleUrls.worker, { max: 1, onError: () => {} })
      const [job, other] = [counted('job'), counted('other')]
      const run = ({ run }: Job) => run({} as Parameters<Job['run']>[0]).then(() => undefined)
      const options = {
        place: { databaseUrl: world.roleUrls.worker },
        jobs: [job.job, other.job],
        run,
        log,
        timing: TIMING,
      }
      try {
        const former = await JobQueue.open(options)
        await until('its schedule has begun', () => job.runs > 0)
        await former.close()
        const queueOnly = (await privilegesOf(owner, 'market_worker')).filter(({ name }) => name.startsWith('bullmq.'))
        const taken = await fillWithJunk(thief, queueOnly)
        for (const table of ['job', 'job_dependency', 'dedup', 'scheduler', 'meta'])
          expect(taken.get(`bullmq.${table}`)?.taken, table).to.be.above(0)
        await thief.query(`insert into bullmq.meta (queue, field, value) values ('jobs', 'paused', '1')
          on conflict (queue, field) do update set value = '1'`)
        await emptyQueue(db)
        const queue = await JobQueue.open(options)
        for (let time = 1; time <= 3; time++) {
          const before = [job.runs, other.runs]
          queue.wakeAll()
          await until('both have run', () => [job, other].every(({ runs }, at) => runs > Number(before[at])))
        }
        await queue.close()
      } finally {
        await Promise.all([thief.end(), owner.end(), db.destroy()])
      }
    })
  })

  describe('in Redis', { skip: withoutRedis() }, () => {
    let redis: TestRedis

    before(async () => {
      redis = await startRedis()
    })

    after(() => redis?.stop())

    behaves(() => ({
      place: { redisUrl: redis.url },
      runsAfterPause: 2,
      empty: () => emptyRedis(redis.url),
      takeAndDie: async (name) => {
        const options = { connection: { url: redis.url } }
        const taking = taken()
        const worker = new Worker('jobs', taking.process, { ...options, ...DYING })
        await die(new Queue('jobs', options), worker, taking.begun, name)
      },
    }))

    test('goes on after Redis was started again and has forgotten everything', async () => {
      const job = counted('after', { everyMs: 100 })
      const run = ({ run }: Job) => run({} as Parameters<Job['run']>[0]).then(() => undefined)
      const options = { place: { redisUrl: redis.url }, jobs: [job.job], run, log, timing: TIMING }
      const queue = await JobQueue.open(options)
      await until('it ran by its schedule', () => job.runs > 0)
      await redis.restart()
      job.waiting = 1
      await until('it is done by its schedule', () => job.done === 1)
      await queue.close()
    })
  })
})

/** Stops all JavaScript of this process, as a machine does that has no CPU for it. */
function haveNoCpu(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

/** A lock that nobody renews, as that of a process that is gone. */
const DYING = { skipLockRenewal: true, skipStalledCheck: true, lockDuration: TIMING.lockMs }

function taken() {
  const { promise: begun, resolve } = Promise.withResolvers<void>()
  const process = () => {
    resolve()
    return new Promise<void>(() => {})
  }
  return { begun, process }
}

async function die(
  queue: Pick<Queue, 'add' | 'close'>,
  worker: Pick<Worker, 'close'>,
  begun: Promise<void>,
  name: string,
): Promise<void> {
  await queue.add(name, {}, { deduplication: { id: name, keepLastIfActive: true } })
  await begun
  await worker.close(true)
  await queue.close()
}
