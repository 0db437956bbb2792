import { chmod, mkdir, mkdtemp, rm, stat, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { expect } from 'chai'
import { ownDir } from '../../../../cli/stack/postgres/internal/place.ts'

describe('the folder of the clusters', () => {
  let parent: string
  let dir: string

  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'market-place-'))
    dir = join(parent, 'postgres')
  })

  afterEach(() => rm(parent, { recursive: true }))

  const mode = async () => (await stat(dir)).mode & 0o777

  for (const umask of [0o022, 0o027, 0o077]) {
    it(`lets the account of Postgres through under umask ${umask.toString(8)}`, async () => {
      const former = process.umask(umask)
      try {
        await ownDir(dir)
      } finally {
        process.umask(former)
      }
      expect(await mode()).to.equal(0o711)
    })
  }

  it('is mended where it lets nobody through', async () => {
    await mkdir(dir)
    await chmod(dir, 0o700)
    await ownDir(dir)
    expect(await mode()).to.equal(0o711)
  })

  it('is not followed to where a link under its name leads', async () => {
    const target = join(parent, 'target')
    await mkdir(target)
    await chmod(target, 0o700)
    await symlink(target, dir)
    const error = await ownDir(dir).catch((reason: Error) => reason)
    expect(String(error)).to.include('belongs to somebody else')
    expect((await stat(target)).mode & 0o777).to.equal(0o700)
  })
})
