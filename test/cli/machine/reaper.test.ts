import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { expect } from 'chai'
import { isAlive } from '../../../cli/machine/alive.ts'
import { ROOT } from '../../../cli/machine/paths.ts'
import { until } from '../../kit/until.ts'

describe('the reaper', () => {
  it('ends what a killed process has left behind, and removes its folders', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'market-reaper-'))
    const { parent, childPid } = await startParent(dir)
    expect(isAlive(childPid)).to.equal(true)
    parent.kill('SIGKILL')
    await until('both are gone', () => !isAlive(childPid) && !existsSync(dir))
  })
})

/** A process with a child of its own in the reaper's care. */
async function startParent(dir: string) {
  const script = `
    import { spawn } from 'node:child_process'
    import { endWithUs, removeWithUs } from '${ROOT}cli/machine/reaper.ts'
    const child = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' })
    endWithUs(child.pid)
    removeWithUs('${dir}')
    console.log(child.pid)`
  const parent = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const { promise, resolve } = Promise.withResolvers<number>()
  parent.stdout.on('data', (text) => resolve(Number(text)))
  return { parent, childPid: await promise }
}
