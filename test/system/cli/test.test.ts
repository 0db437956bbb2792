import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, it } from 'node:test'
import { expect } from 'chai'
import { isAlive } from '../../../cli/machine/alive.ts'
import { ROOT } from '../../../cli/machine/paths.ts'
import { until } from '../../kit/until.ts'

const POLL_MS = 100
// It may have to compile the contracts first.
const STARTED_MS = 120_000

describe('./market test', () => {
  for (const [signal, exitCode, tests, running] of [
    ['SIGTERM', 143, 'contracts', /hardhat\S* test solidity/],
    ['SIGTERM', 143, 'test/cli/tools/tests/chains.test.ts', /hardhat\S* .* node --network/],
    ['SIGINT', 130, 'test/cli/tools/tests/chains.test.ts', /hardhat\S* .* node --network/],
  ] as const) {
    it(`leaves no process when ${signal} ends ${tests}`, async () => {
      // The runner does not start another one below itself.
      const { NODE_TEST_CONTEXT: _, ...env } = process.env
      const command = spawn(`${ROOT}market`, ['test', tests], { env, stdio: 'ignore' })
      const ended = once(command, 'exit')
      let below = descendants(command.pid)
      const isRunning = () => {
        expect(command.exitCode, 'it ended by itself').to.equal(null)
        below = descendants(command.pid)
        return [...below.values()].some((program) => running.test(program))
      }
      await until(`${tests} run`, isRunning, Boolean, { limitMs: STARTED_MS, pollMs: POLL_MS })
      command.kill(signal)
      expect(await ended).to.deep.equal([exitCode, null])
      await until('all have ended', () => ![...below.keys()].some(isAlive))
    })
  }
})

/** Returns the processes that a process started, and those that they did: their commands by their ids. */
function descendants(pid: number | undefined): Map<number, string> {
  const all = execFileSync('ps', ['-A', '-ww', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .filter((match) => match !== null)
    .map(([, id, parent, program = '']) => ({ id: Number(id), parent: Number(parent), program }))
  const found = new Map<number, string>()
  const add = (parent: number | undefined) => {
    for (const each of all.filter((process) => process.parent === parent)) {
      found.set(each.id, each.program)
      add(each.id)
    }
  }
  add(pid)
  return found
}
