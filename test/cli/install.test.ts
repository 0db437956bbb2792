import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { chmod, copyFile, mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { expect } from 'chai'
import { ROOT } from '../../cli/machine/paths.ts'

/** A program that says this, and fails where it is told to. */
const saying = (words: string, code = 0) => `cat <<'END'\n${words}\nEND\nexit ${code}`
const FULL = 'npm warn tar TAR_ENTRY_ERROR ENOSPC: no space left on device, write'

describe('the installation by ./market', () => {
  let dir: string

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'market-install '))
    await mkdir(join(dir, 'bin'))
    await copyFile(join(ROOT, 'market'), join(dir, 'market'))
    await writeFile(join(dir, 'package-lock.json'), '{}')
  })

  afterEach(() => rm(dir, { recursive: true }))

  /** Runs it with a Node and an npm of this machine that do what these scripts say. */
  async function market(
    programs: { node: string; npm: string },
    environment: Record<string, string> = {},
  ): Promise<{ code: number; words: string }> {
    for (const [name, script] of Object.entries(programs)) {
      const program = join(dir, 'bin', name)
      await writeFile(program, `#!/usr/bin/env bash\n${script}\n`)
      await chmod(program, 0o755)
    }
    const child = spawn(join(dir, 'market'), ['help'], {
      env: { ...process.env, ...environment, PATH: `${join(dir, 'bin')}:/usr/bin:/bin` },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const { promise: ended, resolve } = Promise.withResolvers<number>()
    child.once('close', resolve)
    return { words: await text(child.stderr), code: await ended }
  }

  for (const version of ['v20.20.2', 'v24.0.0', 'v24.14.1']) {
    it(`says why it does not use Node ${version}, and leaves nothing of a Node that did not arrive`, async () => {
      const { code, words } = await market({ node: saying(version), npm: saying('npm error code E404', 1) })
      expect(code).to.equal(1)
      expect(words).to.match(new RegExp(`^Node ${version.slice(1)} is older than 24.15. Installing Node 24`))
      expect(words).to.include('This failed: npm ci.').and.include('npm error code E404')
      expect((await readdir(join(dir, '.market'))).filter((name) => name.startsWith('node-'))).to.deep.equal([])
    })
  }

  it('runs no program that a registry serves in the place of Node', async () => {
    const registry = await serveOtherNode(join(dir, 'served'))
    try {
      const realNpm = await realpath(execFileSync('bash', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim())
      const npm = `exec '${process.execPath}' '${realNpm}' "$@"`
      // By default npm asks the registry for an audit too, and fails without a word where that makes no
      // sense.
      const settings = {
        npm_config_registry: registry.url,
        npm_config_cache: join(dir, 'cache'),
        npm_config_audit: 'true',
      }
      const { code, words } = await market({ node: saying('v20.20.2'), npm }, settings)
      expect(words).to.include('EINTEGRITY')
      expect(code).to.equal(1)
      expect((await readdir(join(dir, '.market'))).filter((name) => name.startsWith('node-'))).to.deep.equal([])
    } finally {
      registry.stop()
    }
  })

  for (const version of ['v24.15.0', 'v24.21.0', 'v26.0.0']) {
    it(`uses Node ${version}`, async () => {
      const { words } = await market({ node: saying(version), npm: saying('', 1) })
      expect(words).to.match(/^Installing packages/)
    })
  }

  for (const [how, code] of [
    ['fails', 1],
    ['only warns', 0],
  ] as const) {
    it(`says that the disk is full where npm ${how} for want of room`, async () => {
      for (const version of ['v24.0.0', 'v24.15.0']) {
        const run = await market({ node: saying(version), npm: saying(FULL, code) })
        expect(run.code).to.equal(1)
        expect(run.words).to.include('The disk is full').and.include(dir)
      }
    })
  }

  it('gives a home to an account that has none', async () => {
    const npm = 'echo "its home is $HOME"; cd "$HOME" && touch .npm; exit 1'
    for (const HOME of [join(dir, 'none'), '']) {
      const { words } = await market({ node: saying('v24.15.0'), npm }, { HOME })
      expect(words).to.include(`its home is ${dir}/.market/home\n`).and.not.include('No such file')
    }
    const { words } = await market({ node: saying('v24.15.0'), npm }, { HOME: join(dir, 'bin') })
    expect(words).to.include(`its home is ${dir}/bin\n`)
  })

  it('shows the last words of an npm that failed, without the addresses it used', async () => {
    const npm = saying('npm error 401 at https://user:secret@registry.test/left-pad', 1)
    const { words } = await market({ node: saying('v24.15.0'), npm })
    expect(words).to.include('npm error 401 at <address>').and.not.include('secret')
  })
})

/** A registry whose every package, in every version, is a program that says it is a new Node. */
async function serveOtherNode(folder: string): Promise<{ url: string; stop: () => void }> {
  await mkdir(join(folder, 'package/bin'), { recursive: true })
  await writeFile(join(folder, 'package/package.json'), '{"name": "other", "version": "24.21.0"}')
  await writeFile(join(folder, 'package/bin/node'), `#!/usr/bin/env bash\n${saying('v24.21.0')}\n`, { mode: 0o755 })
  const tarball = execFileSync('tar', ['-czf', '-', '-C', folder, 'package'])
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`
  const server = createServer((request, response) => {
    if (request.url?.endsWith('.tgz')) return response.end(tarball)
    const name = request.url?.slice(1)
    const versions = ['24.21.0', '24.18.1'].map((version) => {
      const dist = { tarball: `http://${request.headers.host}/${name}-${version}.tgz`, integrity }
      return [version, { name, version, dist }]
    })
    return response.end(JSON.stringify({ name, versions: Object.fromEntries(versions) }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, stop: () => server.close() }
}
