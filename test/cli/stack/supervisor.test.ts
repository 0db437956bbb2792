import { existsSync } from 'node:fs'
import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'chai'
import { isAlive } from '../../../cli/machine/alive.ts'
import type { ProcessFailure, ProcessSpec } from '../../../cli/machine/process.ts'
import { Supervisor } from '../../../cli/stack/internal/supervisor.ts'

// Between two attempts to bring a process back.
const LONGER_THAN_A_PAUSE_MS = 600
const STAYS = 'setInterval(() => {}, 1000)'

describe('the supervisor', () => {
  let dir: string
  let supervisor: Supervisor
  let notices: string[]
  let noticed: () => void
  let losses: ProcessFailure[]

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'market-supervisor-'))
    notices = []
    losses = []
    noticed = () => {}
    supervisor = new Supervisor({
      logDir: join(dir, 'logs'),
      onNotice: (notice) => {
        notices.push(notice)
        noticed()
      },
      onLoss: (failure) => {
        losses.push(failure)
        noticed()
      },
    })
  })

  afterEach(async () => {
    await supervisor.stop()
    await rm(dir, { recursive: true })
  })

  /** Resolves when a notice says this. */
  function notice(text: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    noticed = () => {
      if (notices.some((each) => each.includes(text)) || losses.length > 0) resolve()
    }
    return promise
  }

  function spec(name: string, script: string, changes: Partial<ProcessSpec> = {}): ProcessSpec {
    return {
      name,
      command: process.execPath,
      args: ['--eval', script],
      env: {},
      stopSignal: 'SIGTERM',
      isReady: async (started) => started.says('ready'),
      readyTimeoutMs: 10_000,
      restartable: true,
      ...changes,
    }
  }

  it('names a process that ends at its start, and shows its last words', async () => {
    const failing = spec('broken', `console.error('PORT is not set'); process.exit(3)`)
    const error = await supervisor.start(failing).catch((reason: Error) => reason)
    expect(String(error)).to.include('broken ended (exit code 3)').and.to.include('PORT is not set')
  })

  it('names the error that ended a process first, whatever followed it', async () => {
    const script = `console.error('Error: the port is taken'); for (let line = 0; line < 40; line++) console.error('    at x'); process.exit(1)`
    const error = await supervisor.start(spec('broken', script)).catch((reason: Error) => reason)
    expect(String(error).split('\n')[0]).to.include('broken ended (exit code 1): Error: the port is taken')
  })

  it('knows what a process has said, however much it has said since', async () => {
    const talking = `console.log('ready'); for (let line = 0; line < 2000; line++) console.log('x'.repeat(100)); ${STAYS}`
    const isReady: ProcessSpec['isReady'] = async (started) =>
      started.says('ready') && !started.output().includes('ready')
    await supervisor.start(spec('talking', talking, { isReady }))
    expect(supervisor.output('talking')).to.not.include('ready')
  })

  it('names a process that never comes to serve', async () => {
    const slow = spec('slow', `console.log('thinking'); ${STAYS}`, { readyTimeoutMs: 500 })
    const error = await supervisor.start(slow).catch((reason: Error) => reason)
    expect(String(error)).to.include('slow does not serve after 0.5 s').and.to.include('thinking')
  })

  it('starts a crashed process again and says so', async () => {
    await supervisor.start(spec('steady', `console.log('ready', process.pid); ${STAYS}`))
    const first = pidOf('steady')
    const back = notice('steady is back')
    process.kill(first, 'SIGKILL')
    await back
    expect(notices[0]).to.include('steady ended (SIGKILL)').and.to.include('steady is started again')
    expect(pidOf('steady')).to.not.equal(first)
    expect(isAlive(first)).to.equal(false)
  })

  it('brings a process back that now takes longer to start than it was given at first', async () => {
    const slowness = join(dir, 'slowness')
    const script = `setTimeout(() => console.log('ready', process.pid), require('node:fs').existsSync('${slowness}') ? 3200 : 0); ${STAYS}`
    await supervisor.start(spec('slower', script, { readyTimeoutMs: 3_000 }))
    await appendFile(slowness, '')
    const back = notice('slower is back')
    process.kill(pidOf('slower'), 'SIGKILL')
    await back
    expect(isAlive(pidOf('slower'))).to.equal(true)
  })

  it('leaves a process that was killed dead until it is restarted', async () => {
    await supervisor.start(spec('victim', `console.log('ready', process.pid); ${STAYS}`))
    const first = pidOf('victim')
    await supervisor.kill('victim')
    expect(isAlive(first)).to.equal(false)
    await supervisor.restart('victim')
    expect(isAlive(pidOf('victim'))).to.equal(true)
    expect(notices).to.deep.equal([])
  })

  it('brings a process back once that is killed and restarted while it is being brought back', async () => {
    const [starts, broken] = [join(dir, 'starts'), join(dir, 'broken')]
    const script = `
      const { appendFileSync, existsSync } = require('node:fs')
      if (existsSync('${broken}')) process.exit(1)
      appendFileSync('${starts}', 'start\\n')
      console.log('ready', process.pid); ${STAYS}`
    await supervisor.start(spec('fragile', script))
    await appendFile(broken, '')
    const failing = notice('fragile is started again')
    process.kill(pidOf('fragile'), 'SIGKILL')
    await failing
    await supervisor.kill('fragile')
    await rm(broken)
    await supervisor.restart('fragile')
    await delay(LONGER_THAN_A_PAUSE_MS)
    expect(await readFile(starts, 'utf8')).to.equal('start\nstart\n')
  })

  it('tells of the loss of a process that cannot be started again', async () => {
    await supervisor.start(spec('chain', `console.log('ready', process.pid); ${STAYS}`, { restartable: false }))
    const lost = notice('nothing but the loss')
    process.kill(pidOf('chain'), 'SIGKILL')
    await lost
    expect(losses.map(({ message }) => message.split('.')[0])).to.deep.equal(['chain ended (SIGKILL)'])
  })

  it('stops everything with its own signal, the last started first', async () => {
    const journal = join(dir, 'journal')
    const script = (name: string) => `
      for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => {
        require('node:fs').appendFileSync('${journal}', '${name} ' + signal + '\\n')
        process.exit(0)
      })
      console.log('ready'); ${STAYS}`
    await appendFile(journal, '')
    await supervisor.start(spec('first', script('first')))
    await supervisor.start(spec('second', script('second'), { stopSignal: 'SIGINT' }))
    await supervisor.stop()
    expect(await readFile(journal, 'utf8')).to.equal('second SIGINT\nfirst SIGTERM\n')
  })

  it('gives a process the variables it was promised, and none of ours', async () => {
    process.env.MARKET_TEST_SECRET = 'ours'
    const script = `console.log('ready', process.env.PROMISED, process.env.MARKET_TEST_SECRET); ${STAYS}`
    await supervisor.start(spec('modest', script, { env: { PROMISED: 'theirs' } }))
    delete process.env.MARKET_TEST_SECRET
    expect(supervisor.output('modest').trim()).to.equal('ready theirs undefined')
    expect(existsSync(supervisor.logFile('modest'))).to.equal(true)
  })

  function pidOf(name: string): number {
    return Number(supervisor.output(name).match(/ready (\d+)/)?.[1])
  }
})
