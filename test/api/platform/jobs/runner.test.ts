import { after, afterEach, before, describe, test } from 'node:test'
import { expect } from 'chai'
import { pino } from 'pino'
import { createPublicClient, http } from 'viem'
import { mayMoveMoney, Progress } from '../../../../api/payments/chain/progress.ts'
import { Runner, type RunnerOptions } from '../../../../api/platform/jobs/runner.ts'
import type { Job, JobServices } from '../../../../api/platform/jobs/services.ts'
import { startWorld, type World } from '../../../kit/api/payments/escrow/world.ts'
import { knowChain } from '../../../kit/stack/fence.ts'

const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('the runner of jobs', () => {
  let world: World
  let services: JobServices
  const runners: Runner[] = []

  before(async () => {
    world = await startWorld()
    const rpc = createPublicClient({ transport: http('http://127.0.0.1:9', { retryCount: 0 }) })
    services = { db: world.serviceDb, rpc, settings: world.settings, log: pino({ level: 'silent' }) }
  })

  after(() => world?.stop())

  afterEach(async () => {
    for (const runner of runners.splice(0)) await runner.stop()
  })

  const job = (run: () => Promise<void>, changes: Partial<Job> = {}): Job => {
    return { name: 'test', everyMs: 60_000, isFenced: false, run, ...changes }
  }
  /** A runner that no other worker shares the jobs with. */
  const runnerOf = (given: Job, changes: Partial<RunnerOptions> = {}) => {
    const exclusively = async (_name: string, task: () => Promise<void>) => {
      await task()
      return true
    }
    const runner = new Runner({ services, jobs: [given], exclusively, isFenceOpen: async () => true, ...changes })
    runners.push(runner)
    return runner
  }

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

  test('runs a job no sooner than its pause after its last run, however often it is woken', async () => {
    const pauseMs = 100
    const ranAtMs: number[] = []
    const timed = job(
      async () => {
        ranAtMs.push(performance.now())
      },
      { pauseMs },
    )
    const runner = runnerOf(timed)
    await Promise.all([runner.wake('test'), runner.wake('test'), runner.wake('test')])
    const [first = 0, second = 0, ...others] = ranAtMs
    expect(second - first).to.be.at.least(pauseMs - 1)
    expect(others).to.deep.equal([])
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

  test('runs a job that moves money only while the fence is open, and looks again after a second', async (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] })
    let runs = 0
    let isOpen = false
    const counted = job(
      async () => {
        runs++
      },
      { isFenced: true },
    )
    const runner = runnerOf(counted, { isFenceOpen: async () => isOpen })
    await runner.wake('test')
    expect(runs).to.equal(0)
    isOpen = true
    context.mock.timers.tick(1_000)
    await settled()
    expect(runs).to.equal(1)
  })

  const fencedRuns = (progress: Progress) => {
    const runs = { count: 0 }
    const counted = job(
      async () => {
        runs.count++
      },
      { isFenced: true },
    )
    return { runs, runner: runnerOf(counted, { isFenceOpen: () => mayMoveMoney(services.db, progress) }) }
  }

  test('moves no money before it is known what the chain has done meanwhile', async () => {
    const progress = new Progress()
    const { runs, runner } = fencedRuns(progress)
    await runner.wake('test')
    expect(runs.count).to.equal(0)
    progress.end({ to: 1n, isSweep: true, isWhole: true })
    await runner.wake('test')
    expect(runs.count).to.equal(1)
  })

  test('moves no money in a database that is another than the one it knows the chain of', async () => {
    const progress = new Progress()
    progress.end({ to: 1n, isSweep: true, isWhole: true })
    const { runs, runner } = fencedRuns(progress)
    await services.db.updateTable('market.chain_progress').set({ database_epoch: 'another' }).execute()
    await runner.wake('test')
    expect(runs.count).to.equal(0)
    await knowChain(services.db)
    await runner.wake('test')
    expect(runs.count).to.equal(1)
  })

  test('runs a job by itself when it is due, unless its schedule comes first', async (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] })
    let runs = 0
    const answers = [2_500, 0, 70_000, 5_000]
    const runner = runnerOf(
      job(
        async () => {
          runs++
        },
        { dueInMs: async () => answers.shift() },
      ),
    )
    const runsAfter = async (ms: number) => {
      context.mock.timers.tick(ms)
      await settled()
      return runs
    }
    await runner.wake('test')
    expect(await runsAfter(2_499)).to.equal(1)
    expect(await runsAfter(1)).to.equal(2)
    // Overdue: what cannot be done yet is tried again after a second.
    expect(await runsAfter(999)).to.equal(2)
    expect(await runsAfter(1)).to.equal(3)
    expect(await runsAfter(100_000)).to.equal(3)
    await runner.wake('test')
    expect(runs).to.equal(4)
    await runner.stop()
    expect(await runsAfter(5_000)).to.equal(4)
  })

  test('tries a job again after a second that another worker was running', async (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] })
    const answers = [false, true]
    let attempts = 0
    const exclusively = async () => {
      attempts++
      return answers.shift() ?? true
    }
    const runner = runnerOf(
      job(async () => {}),
      { exclusively },
    )
    await runner.wake('test')
    context.mock.timers.tick(1_000)
    await settled()
    context.mock.timers.tick(60_000)
    await settled()
    expect(attempts).to.equal(2)
  })

  test('tells somebody of an outage that lasts, once a minute, and begins to count anew after it', async (context) => {
    const alarms: unknown[] = []
    let isAway = true
    const log = pino({ level: 'error' }, { write: (line: string) => alarms.push(JSON.parse(line).alarm) })
    const asking = job(async () => {
      if (isAway) await services.rpc.getChainId()
    })
    const runner = runnerOf(asking, { services: { ...services, log } })
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
