import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chown, mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { type Account, unprivilegedAccount } from '../../machine/account.ts'
import { freePort } from '../../machine/ports.ts'
import type { ProcessSpec } from '../../machine/process.ts'
import { removeWithUs } from '../../machine/reaper.ts'
import { type Binaries, findBinaries } from './internal/binaries.ts'
import { clustersDir, memoryDir, removeAbandoned } from './internal/place.ts'

const PASSWORD_BYTES = 24
const READY_TIMEOUT_MS = 60_000
// The last is the name on macOS.
const USUAL_LOCALES = ['C.UTF-8', 'en_US.UTF-8', 'UTF-8']
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  // TCP only: a deep folder exceeds the length limit of a socket's path.
  unix_socket_directories: '',
  max_connections: '300',
  log_min_messages: 'warning',
  timezone: 'UTC',
}
// The password is random, so slow hashing would only make each connection slow.
const SCRAM_ITERATIONS = 1
const UNSAFE_SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  // The cluster may be in memory, where a large log is a waste.
  max_wal_size: '128MB',
}

/**
 * An empty Postgres cluster of our own, and its server process. Its folder is deleted when our process ends.
 */
export interface Cluster {
  /** The superuser's URL of the database `postgres`. */
  adminUrl: string
  spec: ProcessSpec
}

/**
 * Creates a cluster. `durable: false` gives up crash safety for speed: not for data that matters, nor for
 * crash tests.
 */
export async function createCluster(options: { durable: boolean }): Promise<Cluster> {
  const account = unprivilegedAccount()
  const lasting = await clustersDir(account)
  const binaries = await findBinaries(lasting, account)
  const place = options.durable ? lasting : ((await memoryDir()) ?? lasting)
  await removeAbandoned(place)
  const dir = await mkdtemp(join(place, 'cluster-'))
  removeWithUs(dir)
  await writeFile(join(dir, 'owner'), String(process.pid))
  if (account) await chown(dir, account.uid, account.gid)
  const password = randomBytes(PASSWORD_BYTES).toString('hex')
  const dataDir = join(dir, 'data')
  await initialise(binaries, dataDir, password, account)
  const port = await freePort()
  const adminUrl = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`
  const settings = { ...SETTINGS, port: String(port), ...(options.durable ? {} : UNSAFE_SETTINGS) }
  const args = ['-D', dataDir, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
  const spec: ProcessSpec = {
    name: 'postgres',
    command: binaries.postgres,
    args,
    env: {},
    account,
    stopSignal: 'SIGINT',
    isReady: () => answers(adminUrl),
    readyTimeoutMs: READY_TIMEOUT_MS,
    restartable: true,
  }
  return { adminUrl, spec }
}

async function initialise(
  binaries: Binaries,
  dataDir: string,
  password: string,
  account: Account | undefined,
): Promise<void> {
  await mkdir(dataDir, { mode: 0o700 })
  const passwordFile = `${dataDir}.password`
  await writeFile(passwordFile, password, { mode: 0o600 })
  if (account) {
    await chown(dataDir, account.uid, account.gid)
    await chown(passwordFile, account.uid, account.gid)
  }
  const args = [
    ...['-D', dataDir, '-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`],
    ...['--set', `scram_iterations=${SCRAM_ITERATIONS}`],
    // The same collation on every machine.
    ...['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-sync'],
  ]
  for (const name of await utf8Locales()) {
    // Defines letters for the text search parser, which uses the machine's library and not the provider.
    const { code, output } = await runInitdb(binaries, [...args, `--lc-ctype=${name}`], account)
    if (code === 0) return
    if (!output.includes('invalid locale name')) throw new Error(`initdb failed:\n${output}`)
  }
  throw new Error('this machine has no locale in UTF-8: install one, such as C.UTF-8 (`locale -a` lists them)')
}

/**
 * The locales in UTF-8 to try: the usual ones, which a machine may have without listing them, then those it
 * lists.
 */
async function utf8Locales(): Promise<string[]> {
  const listed = await promisify(execFile)('locale', ['-a']).catch(() => ({ stdout: '' }))
  return [...USUAL_LOCALES, ...listed.stdout.split('\n').filter((name) => /\.utf-?8$/i.test(name))]
}

async function runInitdb(
  { initdb }: Binaries,
  args: string[],
  account: Account | undefined,
): Promise<{ code: number | null; output: string }> {
  const child = spawn(initdb, args, { ...account, cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const { promise, resolve, reject } = Promise.withResolvers<number | null>()
  child.once('close', resolve)
  child.once('error', reject)
  return { code: await promise, output }
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000 })
  // The query itself reports a lost connection.
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}
