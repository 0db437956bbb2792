import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterEach, describe, it } from 'node:test'
import { expect } from 'chai'
import { isAlive } from '../../../cli/machine/alive.ts'
import { ROOT } from '../../../cli/machine/paths.ts'
import { until } from '../../kit/until.ts'

const STAYS = 'setInterval(() => {}, 1000)'

describe('a command with a group of processes', () => {
  const started: ChildProcess[] = []

  afterEach(() => {
    for (const child of started.splice(0)) child.kill('SIGKILL')
  })

  /**
   * A command whose leader starts a process and then does this. Returns it, its exit code, and the ids of
   * both.
   */
  async function start(then: string) {
    const leader = `
      const { spawn } = require('node:child_process')
      const child = spawn(process.execPath, ['--eval', ${JSON.stringify(STAYS)}], { stdio: 'ignore' })
      console.log([process.pid, child.pid].join())
      ${then}`
    const script = `
      import { runInGroup } from '${ROOT}cli/machine/group.ts'
      process.exitCode = await runInGroup(['--eval', ${JSON.stringify(leader)}])`
    const command = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    started.push(command)
    const code = once(command, 'exit').then(([exitCode]) => exitCode as number | null)
    const [text] = await once(command.stdout.setEncoding('utf8'), 'data')
    return { command, code, pids: String(text).split(',').map(Number) }
  }

  for (const [signal, exitCode] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const) {
    it(`ends all of them before it ends by ${signal}`, async () => {
      const { command, code, pids } = await start(STAYS)
      expect(pids.map(isAlive)).to.deep.equal([true, true])
      command.kill(signal)
      expect(await code).to.equal(exitCode)
      expect(pids.map(isAlive)).to.deep.equal([false, false])
    })
  }

  it('leaves none behind when it is killed', async () => {
    const { command, pids } = await start(STAYS)
    command.kill('SIGKILL')
    await until('all have ended', () => !pids.some(isAlive))
  })

  it('ends with the exit code of its leader, and ends what that left', async () => {
    const { code, pids } = await start('child.unref(); process.exitCode = 7')
    expect(await code).to.equal(7)
    expect(pids.map(isAlive)).to.deep.equal([false, false])
  })
})
