import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { expect } from 'chai'
import { failureText } from '../../../cli/terminal/failure.ts'

describe('what a failed command says', () => {
  let dir: string
  before(async () => {
    dir = await mkdtemp(join(tmpdir(), 'market-failure-'))
  })
  after(() => rm(dir, { recursive: true }))

  const lastLine = (error: unknown) => failureText(error).split('\n').at(-1)

  it('ends with the disk being full, where a program of ours or Node found no room', () => {
    for (const message of [
      'initdb failed:\nFATAL:  could not write to file "pg_wal/xlogtemp.1": No space left on device\nchild process exited',
      "The contracts do not compile:\n{ errno: -28, code: 'ENOSPC', syscall: 'write' }\n\nPlease report it",
    ]) {
      expect(lastLine(new Error(message))).to.match(/^The disk is full/)
      expect(failureText(new Error(message))).to.include(message)
    }
  })

  it('says of any other fault what it is, and no more', async () => {
    const path = join(dir, 'none', 'file')
    const error = await writeFile(path, '').catch((reason: Error) => reason)
    expect(failureText(error)).to.equal(`There is no file ${path}.`)
    expect(failureText(new Error('initdb failed:\nno'))).to.equal('initdb failed:\nno')
  })
})
