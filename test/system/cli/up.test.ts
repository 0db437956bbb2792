import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { isAlive } from '../../../cli/machine/alive.ts'
import { answersOk } from '../../../cli/machine/http.ts'
import { ROOT, STATE_DIR } from '../../../cli/machine/paths.ts'
import { freePort, isFree } from '../../../cli/machine/ports.ts'
import type { SandboxFile } from '../../../cli/machine/sandboxFile.ts'
import { NAME } from '../../../cli/stack/internal/packageManifest.ts'
import { VERSION } from '../../../protocol/environment/version.ts'
import { inspect, missingBrowser, openBrowser } from '../../kit/console/browser.ts'
import { enrol } from '../../kit/console/console.ts'
import { until } from '../../kit/until.ts'

const POLL_MS = 100
const UP_MS = 120_000
const END_MS = 20_000
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const STEPS = ['Starting Postgres', 'Compiling the contracts', 'Building the console', 'Starting indexer']
const launched = new Set<ChildProcess>()

describe('./market up', () => {
  let first: Up
  let second: Up
  let visit: Promise<void> | undefined

  before(async () => {
    // Whoever keeps new files to themselves runs one too, even as root, whose Postgres has another account.
    ;[first, second] = await Promise.all([startUp(0o077), startUp()])
    // The trade takes half a minute, in which the other one is tried.
    visit = watchTrade(second)
    visit.catch(() => {})
  })

  after(() => {
    for (const child of launched) child.kill('SIGKILL')
  })

  it('says where the market is reached, in a file that nobody else can read', async () => {
    const file = join(STATE_DIR, `sandbox-${first.port}.json`)
    const sandbox = await sandboxOn(first.port)
    expect((await stat(file)).mode & 0o777).to.equal(0o600)
    expect(sandbox).to.include({ base_url: `http://localhost:${first.port}`, chain_id: 31337 })
    expect(sandbox).to.include.keys(
      'rpc_url',
      'database_url',
      'escrow',
      'token',
      'operator_token',
      'human_urn',
      'human_token',
      'human_enrolment_url',
      'operator_enrolment_url',
    )
    expect(sandbox.reviewer_enrolment_urls).to.have.length(3)
    const config = await (await fetch(`${sandbox.base_url}/v1/config/public`)).json()
    expect(config).to.include({ chain_id: 31337, escrow_contract: sandbox.escrow })
  })

  it('lets a person in by links, whose secrets stay in the browser, and ends by naming the console', async () => {
    const sandbox = await sandboxOn(first.port)
    expect(first.words().trim().split('\n').at(-1)).to.equal(`Ctrl-C stops it. The console: ${sandbox.console_url}`)
    const { human_token, operator_token, database_url, reviewer_tokens = [], signing_key = '' } = sandbox
    for (const secret of [human_token, operator_token, database_url, signing_key, ...reviewer_tokens])
      expect(first.words()).to.not.include(secret)
    for (const [link, name] of [
      [sandbox.human_enrolment_url, 'First human'],
      [sandbox.operator_enrolment_url, 'Operator'],
    ]) {
      expect(first.words()).to.include(link)
      const { origin, pathname, hash } = new URL(link ?? '')
      expect(origin + pathname).to.equal(`${sandbox.console_url}/enrol`)
      const answer = await fetch(`${sandbox.base_url}/v1/me/passkeys/enrolment/options`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'market-version': '2026-05-17', origin },
        body: JSON.stringify({ enrolment: hash.slice(1) }),
      })
      const { user } = (await answer.json()) as { user: object }
      expect(user).to.deep.include({ displayName: name })
    }
  })

  it('sends who asks for the console at an address to where passkeys work', async () => {
    const asked = `http://127.0.0.1:${first.port}/console?a=b`
    const answer = await fetch(asked, { redirect: 'manual' })
    expect(answer.headers.get('location')).to.equal(`http://localhost:${first.port}/console?a=b`)
  })

  it("hands out the SDK's package, for programs to install", async () => {
    const answer = await fetch(`http://127.0.0.1:${first.port}/sdk.tgz`)
    expect(answer.headers.get('content-type')).to.equal('application/gzip')
    const folder = await mkdtemp(join(tmpdir(), 'sdk-'))
    try {
      await writeFile(join(folder, 'sdk.tgz'), Buffer.from(await answer.arrayBuffer()))
      await promisify(execFile)('tar', ['-xzf', 'sdk.tgz'], { cwd: folder })
      const { name, version } = JSON.parse(await readFile(join(folder, 'package/package.json'), 'utf8'))
      expect({ name, version }).to.deep.equal({ name: NAME, version: VERSION })
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  it('runs beside another one, which has a chain and a database of its own', async () => {
    const one = await sandboxOn(first.port)
    const two = await sandboxOn(second.port)
    for (const field of ['base_url', 'rpc_url', 'database_url', 'operator_token'] as const) {
      expect(one[field], field).to.not.equal(two[field])
    }
  })

  it('starts a process again that was killed, and says so', async () => {
    const log = await readFile(join(STATE_DIR, `logs/${first.port}/api.log`), 'utf8')
    process.kill(JSON.parse(log.split('\n')[0] ?? '').pid, 'SIGKILL')
    await until('the api is back', first.words, (words) => words.includes('api is back'))
    expect(first.words()).to.include('api ended (SIGKILL)')
    expect(await answersOk(`http://127.0.0.1:${first.port}/readyz`)).to.equal(true)
  })

  it('refuses a port that is taken', async () => {
    const refused = launchUp(first.port)
    expect(await refused.ended).to.equal(1)
    expect(refused.words()).to.include(`Port ${first.port} is taken`)
  })

  it('ends at a signal in every step, also while somebody is connected to its port', { timeout: 300_000 }, async () => {
    for (const [place, step] of STEPS.entries()) {
      const up = launchUp(await freePort())
      const begins = () => up.child.exitCode === null && up.words().includes(step)
      await until(step, begins, Boolean, { limitMs: UP_MS, pollMs: 1 })
      const clients = await connectTo(up.port)
      up.child.kill(SIGNALS[place % SIGNALS.length])
      const late = delay(END_MS, 'late', { ref: false })
      expect(await Promise.race([up.ended, late]), `${step}\n${up.words()}`).to.equal(0)
      for (const client of clients) client.destroy()
      expect(await isFree(up.port), step).to.equal(true)
    }
  })

  it('refuses a database that another one runs on, and leaves that one and its file alone', async () => {
    const { database_url: DATABASE_URL } = await sandboxOn(first.port)
    const refused = launchUp(await freePort(), { DATABASE_URL })
    expect(await refused.ended).to.equal(1)
    expect(refused.words()).to.include('Another ./market up runs on DATABASE_URL')
    expect(await sandboxOn(first.port)).to.include({ database_url: DATABASE_URL })
  })

  it('trades once before the eyes of whoever comes in', {
    skip: missingBrowser() ?? false,
    timeout: 110_000,
  }, async () => {
    await visit
    expect(second.words())
      .to.match(/The sample trade, as its seller sees it: http:\/\/localhost:\d+\/console\/orders\/[0-9a-f-]{36}\n/)
      .and.not.include('The sample trade ended')
  })

  it('ends everything it started at Ctrl-C, and leaves the other one alone', async () => {
    const { rpc_url, database_url } = await sandboxOn(first.port)
    const files = await filesOf(first)
    await mkdir(files, { recursive: true })
    first.child.kill('SIGINT')
    expect(await first.ended).to.equal(0)
    await until(
      'its files are gone',
      () => existsSync(files),
      (isThere) => !isThere,
    )
    for (const url of [rpc_url, database_url]) expect(await isFree(Number(new URL(url).port)), url).to.equal(true)
    expect(await isFree(first.port)).to.equal(true)
    expect(await answersOk(`http://127.0.0.1:${second.port}/readyz`)).to.equal(true)
    const remaining = JSON.parse(await readFile(join(STATE_DIR, 'sandbox.json'), 'utf8'))
    expect(remaining.base_url).to.not.equal(`http://localhost:${first.port}`)
  })

  it('leaves nothing behind when it is killed itself', async () => {
    const { rpc_url, database_url } = await sandboxOn(second.port)
    second.child.kill('SIGKILL')
    const ports = [second.port, ...[rpc_url, database_url].map((url) => Number(new URL(url).port))]
    await until('the ports are free', async () => (await Promise.all(ports.map(isFree))).every(Boolean))
    expect(isAlive(second.child.pid ?? 0)).to.equal(false)
  })
})

type Up = ReturnType<typeof launchUp>

/** Comes into a sandbox by the link of its first human, and waits until a trade has happened there. */
async function watchTrade({ port }: Up): Promise<void> {
  if (missingBrowser()) return
  const { human_enrolment_url } = await sandboxOn(port)
  const browser = await openBrowser()
  try {
    const watched = await enrol({ browser }, 'desktop', human_enrolment_url)
    const latest = watched.page.getByRole('region', { name: 'Latest orders' })
    await latest.getByText('○ placed').waitFor({ timeout: 30_000 })
    await latest.getByText('● final').waitFor({ timeout: 60_000 })
    await inspect(watched, 'home-sample-desktop')
  } finally {
    await browser.close()
  }
}

/** The folder of a sandbox's files, which its api was started with. */
async function filesOf({ port }: Up): Promise<string> {
  const lines = (await readFile(join(STATE_DIR, `logs/${port}/api.log`), 'utf8')).trim().split('\n')
  const pids = lines.flatMap((line) => (line.startsWith('{') ? [JSON.parse(line).pid] : []))
  const { stdout } = await promisify(execFile)('ps', ['eww', '-o', 'command=', '-p', String(pids.at(-1))])
  const [, folder] = /\bBLOB_DIR=(\S+)/.exec(stdout) ?? []
  if (folder === undefined) throw new Error('the api does not say where its files are')
  return folder
}

async function startUp(umask = process.umask()): Promise<Up> {
  const port = await freePort()
  const former = process.umask(umask)
  const up = launchUp(port)
  process.umask(former)
  const words = () => {
    if (up.child.exitCode !== null) throw new Error(up.words())
    return up.words()
  }
  await until('it is up', words, (said) => said.includes('Ctrl-C stops it'), { limitMs: UP_MS, pollMs: POLL_MS })
  return up
}

function launchUp(port: number, environment: NodeJS.ProcessEnv = {}) {
  const args = [join(ROOT, 'cli/main.ts'), 'up', '--port', String(port)]
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let words = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (words += text))
  launched.add(child)
  const { promise: ended, resolve } = Promise.withResolvers<number | null>()
  child.once('close', resolve)
  return { child, port, words: () => words, ended }
}

/** Connects to the port of a sandbox that is starting: without a word, and with half a request. */
async function connectTo(port: number): Promise<Socket[]> {
  const clients = ['', 'GET / HTTP/1.1\r\nHost: loc'].map((sent) => {
    const client = connect(port, '127.0.0.1').on('error', () => {})
    client.write(sent)
    return client
  })
  await Promise.all(clients.map((client) => once(client, 'connect').catch(() => {})))
  return clients
}

async function sandboxOn(port: number): Promise<SandboxFile> {
  return JSON.parse(await readFile(join(STATE_DIR, `sandbox-${port}.json`), 'utf8'))
}
