import { after, before, describe, test } from 'node:test'
import { expect } from 'chai'
import { pino } from 'pino'
import { createPublicClient, http } from 'viem'
import { mayMoveMoney, nextPass } from '../../../../api/payments/chain/progress.ts'
import { JobRuns, type JobRunsOptions } from '../../../../api/platform/jobs/run.ts'
import type { Job, JobServices } from '../../../../api/platform/jobs/services.ts'
import { startWorld, type World } from '../../../kit/api/payments/escrow/world.ts'
import { knowChain } from '../../../kit/stack/fence.ts'

describe('a run of a job', () => {
  let world: World
  let services: JobServices

  before(async () => {
    world = await startWorld()
    const rpc = createPublicClient({ transport: http('http://127.0.0.1:9', { retryCount: 0 }) })
    services = { db: world.serviceDb, rpc, settings: world.settings, log: pino({ level: 'silent' }) }
  })

  after(() => world?.stop())

  const runsOf = (changes: Partial<JobRunsOptions> = {}) =>
    new JobRuns({ services, isFenceOpen: async () => true, ...changes })
  /** A job that counts its runs. */
  const counted = (changes: Partial<Job> = {}) => {
    const runs = { count: 0 }
    const run = async () => {
      runs.count++
    }
    const job: Job = { name: 'test', everyMs: 60_000, isFenced: false, run, ...changes }
    return { runs, job }
  }

  test('says when the job is needed next, and a second for what is overdue', async () => {
    const answers = [2_500, 0, -5, undefined]
    const { job } = counted({ dueInMs: async () => answers.shift() })
    const runs = runsOf()
    const said = []
    for (let time = 0; time < 4; time++) said.push(await runs.once(job))
    expect(said).to.deep.equal([2_500, 1_000, 1_000, undefined])
  })

  test('tries a job that failed again after a second, and raises an alarm', async () => {
    const alarms: unknown[] = []
    const log = pino({ level: 'error' }, { write: (line: string) => alarms.push(JSON.parse(line).alarm) })
    const failing: Partial<Job> = { run: () => Promise.reject(new Error('once')) }
    expect(await runsOf({ services: { ...services, log } }).once(counted(failing).job)).to.equal(1_000)
    expect(alarms).to.deep.equal([true])
  })

  test('runs a job that moves money only while the fence is open, and looks again after a second', async () => {
    let isOpen = false
    const { runs, job } = counted({ isFenced: true })
    const fenced = runsOf({ isFenceOpen: async () => isOpen })
    expect(await fenced.once(job)).to.equal(1_000)
    expect(runs.count).to.equal(0)
    isOpen = true
    await fenced.once(job)
    expect(runs.count).to.equal(1)
  })

  test('moves no money before a pass has ended that began after the worker started', async () => {
    const { db } = services
    const before = await nextPass(db)
    expect(await mayMoveMoney(db, before)).to.equal(false)
    await knowChain(db)
    expect(await mayMoveMoney(db, before)).to.equal(true)
    const later = await nextPass(db)
    expect(await mayMoveMoney(db, later), 'a worker that started since').to.equal(false)
  })

  test('moves no money in a database that is another than the one whose chain is known', async () => {
    const { db } = services
    const start = await nextPass(db)
    await knowChain(db)
    await db.updateTable('market.chain_progress').set({ database_epoch: 'another' }).execute()
    expect(await mayMoveMoney(db, start)).to.equal(false)
    await knowChain(db)
    expect(await mayMoveMoney(db, start)).to.equal(true)
  })

  test('tells somebody of an outage that lasts, once a minute, and begins to count anew after it', async (context) => {
    const alarms: unknown[] = []
    let isAway = true
    const log = pino({ level: 'error' }, { write: (line: string) => alarms.push(JSON.parse(line).alarm) })
    const run = async () => {
      if (isAway) await services.rpc.getChainId()
    }
    const { job } = counted({ run })
    const runs = runsOf({ services: { ...services, log } })
    let now = 1_000_000
    context.mock.method(performance, 'now', () => now)
    const runAfter = async (seconds: number) => {
      now += 1_000 * seconds
      await runs.once(job)
      return alarms.length
    }
    expect(await runAfter(0)).to.equal(0)
    expect(await runAfter(59)).to.equal(0)
    expect(await runAfter(1)).to.equal(1)
    expect(await runAfter(59)).to.equal(1)
    expect(await runAfter(1)).to.equal(2)
    isAway = false
    expect(await runAfter(60)).to.equal(2)
    isAway = true
    expect(await runAfter(60)).to.equal(2)
    expect(alarms).to.deep.equal([true, true])
  })
})
