import { after, before, describe, test } from 'node:test'
import { expect } from 'chai'
import { pino } from 'pino'
import { createPublicClient, http } from 'viem'
import { openPool } from '../../../api/db/pool.ts'
import { inTransaction } from '../../../api/db/transaction.ts'
import { allJobs, connectionsOf } from '../../../api/jobs/all.ts'
import { exclusively } from '../../../api/jobs/lock.ts'
import { Progress } from '../../../api/jobs/progress.ts'
import { Runner } from '../../../api/jobs/runner.ts'
import type { Job, JobServices } from '../../../api/jobs/services.ts'
import { knowChain } from '../../stack/fence.ts'
import { startWorld, type World } from '../escrow/world.ts'

describe('the runner of jobs', () => {
  let world: World
  let services: JobServices

  before(async () => {
    world = await startWorld()
    const rpc = createPublicClient({ transport: http('http://127.0.0.1:9', { retryCount: 0 }) })
    services = { db: world.db, rpc, settings: world.settings, log: pino({ level: 'silent' }) }
  })

  after(() => world?.stop())

  const job = (run: () => Promise<void>, isFenced = false): Job => ({ name: 'test', everyMs: 1_000, isFenced, run })
  const runnerOf = (given: Job, progress = new Progress()) => new Runner(services, [given], progress)

  test('loses no wake-up: whatever comes while a job runs makes it run once more', async () => {
    let runs = 0
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
    const runner = runnerOf(
      job(async () => {
        runs++
        if (runs === 1) await mayEnd
      }),
    )
    const woken = [runner.wake('test'), runner.wake('test'), runner.wake('test')]
    end()
    await Promise.all(woken)
    expect(runs).to.equal(2)
  })

  test('has a connection for the work of every job while all of them run at once', { timeout: 20_000 }, async () => {
    const jobs = allJobs(new Progress())
    const db = openPool(world.databaseUrl, { max: connectionsOf(jobs), onError: () => {} })
    const { promise: allRun, resolve } = Promise.withResolvers<void>()
    let running = 0
    const work = async () => {
      if (++running === jobs.length) resolve()
      await allRun
      await inTransaction(db, 'read only', (tx) => tx.selectFrom('market.orders').select('id').execute())
    }
    const done = await Promise.all(jobs.map(({ name }) => exclusively(db, `all at once: ${name}`, work)))
    expect(done.every(Boolean)).to.equal(true)
    await db.destroy()
  })

  test('lets one worker run a job at a time', async () => {
    let running = 0
    let most = 0
    const counted = () =>
      runnerOf(
        job(async () => {
          running++
          most = Math.max(most, running)
          await services.db.selectFrom('market.orders').select('id').execute()
          running--
        }),
      )
    const runners = [counted(), counted(), counted()]
    for (let round = 0; round < 5; round++) await Promise.all(runners.map((runner) => runner.wake('test')))
    expect(most).to.equal(1)
  })

  test('a job that fails runs again when it is woken', async () => {
    let runs = 0
    const runner = runnerOf(
      job(async () => {
        runs++
        if (runs === 1) throw new Error('once')
      }),
    )
    await runner.wake('test')
    await runner.wake('test')
    expect(runs).to.equal(2)
  })

  test('moves no money before it is known what the chain has done meanwhile', async () => {
    let runs = 0
    const progress = new Progress()
    const runner = runnerOf(
      job(async () => {
        runs++
      }, true),
      progress,
    )
    await runner.wake('test')
    expect(runs).to.equal(0)
    progress.end({ to: 1n, isSweep: true, isWhole: true })
    await runner.wake('test')
    expect(runs).to.equal(1)
  })

  test('moves no money in a database that is another than the one it knows the chain of', async () => {
    let runs = 0
    const progress = new Progress()
    progress.end({ to: 1n, isSweep: true, isWhole: true })
    const runner = runnerOf(
      job(async () => {
        runs++
      }, true),
      progress,
    )
    await services.db.updateTable('market.chain_progress').set({ incarnation: 'another' }).execute()
    await runner.wake('test')
    expect(runs).to.equal(0)
    await knowChain(services.db)
    await runner.wake('test')
    expect(runs).to.equal(1)
  })

  test('tells somebody of an outage that lasts, once a minute, and begins to count anew after it', async (context) => {
    const alarms: unknown[] = []
    let isAway = true
    const log = pino({ level: 'error' }, { write: (line: string) => alarms.push(JSON.parse(line).alarm) })
    const asking = job(async () => {
      if (isAway) await services.rpc.getChainId()
    })
    const runner = new Runner({ ...services, log }, [asking], new Progress())
    let now = 1_000_000
    context.mock.method(performance, 'now', () => now)
    const wakeAfter = async (seconds: number) => {
      now += 1_000 * seconds
      await runner.wake('test')
      return alarms.length
    }
    expect(await wakeAfter(0)).to.equal(0)
    expect(await wakeAfter(59)).to.equal(0)
    expect(await wakeAfter(1)).to.equal(1)
    expect(await wakeAfter(59)).to.equal(1)
    expect(await wakeAfter(1)).to.equal(2)
    isAway = false
    expect(await wakeAfter(60)).to.equal(2)
    isAway = true
    expect(await wakeAfter(60)).to.equal(2)
    expect(alarms).to.deep.equal([true, true])
  })

  test('stops when what is running has ended, and begins nothing more', async () => {
    let runs = 0
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>()
    const runner = runnerOf(
      job(async () => {
        await mayEnd
        runs++
      }),
    )
    const first = runner.wake('test')
    const second = runner.wake('test')
    const stopped = runner.stop()
    end()
    await Promise.all([first, second, stopped])
    await runner.wake('test')
    expect(runs).to.equal(1)
  })
})
