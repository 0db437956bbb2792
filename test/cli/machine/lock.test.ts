import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { describe, it } from 'node:test'
import { expect } from 'chai'
import { exclusively } from '../../../cli/machine/lock.ts'
import { ROOT, STATE_DIR } from '../../../cli/machine/paths.ts'

const NAME = `test-${process.pid}`

describe('a lock of the folder', () => {
  it('lets one work at a time, and the next in when that ends or throws', async () => {
    const seen: string[] = []
    const work = (name: string) =>
      exclusively(NAME, async () => {
        seen.push(`${name} begins`)
        await new Promise(setImmediate)
        seen.push(`${name} ends`)
        if (name === 'b') throw new Error('b failed')
      })
    const ended = await Promise.allSettled(['a', 'b', 'c'].map(work))
    expect(ended.filter(({ status }) => status === 'rejected')).to.have.length(1)
    for (let index = 0; index < seen.length; index += 2)
      expect(seen[index + 1]).to.equal(seen[index]?.replace('begins', 'ends'))
    expect(seen).to.have.length(6)
  })

  it('is free again when its process was killed', async () => {
    const script = `
      import { exclusively } from './cli/machine/lock.ts'
      await exclusively('${NAME}', () => { console.log('locked'); return new Promise(() => setInterval(() => {}, 1000)) })`
    const holder = spawn(process.execPath, ['--input-type=module', '--eval', script], { cwd: ROOT })
    await once(holder.stdout, 'data')
    let isIn = false
    const next = exclusively(NAME, async () => (isIn = true))
    await new Promise(setImmediate)
    expect(isIn).to.equal(false)
    holder.kill('SIGKILL')
    expect(await next).to.equal(true)
    await rm(`${STATE_DIR}/${NAME}.lock`)
  })
})
