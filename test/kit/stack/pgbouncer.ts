import { spawnSync } from 'node:child_process'
import { chown, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { unprivilegedAccount } from '../../../cli/machine/account.ts'
import { STATE_DIR } from '../../../cli/machine/paths.ts'
import { freePort } from '../../../cli/machine/ports.ts'
import { launch, type ProcessSpec, signal, untilReady } from '../../../cli/machine/process.ts'
import { removeWithUs } from '../../../cli/machine/reaper.ts'

const PROGRAMS = ['/usr/sbin/pgbouncer', 'pgbouncer']
const READY_TIMEOUT_MS = 20_000

/** Fewer than the processes of a market have connections, so that they share them. */
const POOL_SIZE = 3

/** A PgBouncer that lends connections for one transaction. */
export interface Pooler {
  /** The URL of the same login to the same database, through the pooler. */
  through: (url: string) => string
  stop: () => Promise<void>
}

/** Returns why there is no PgBouncer here, or undefined. */
export function missingPgbouncer(): string | undefined {
  return program() === undefined ? 'pgbouncer is not installed' : undefined
}

/** Starts a PgBouncer in front of a server, for these logins. */
export async function startPgbouncer(
  urls: readonly string[],
  { mode = 'transaction', robin = 0 } = {},
): Promise<Pooler> {
  const command = program()
  const [first] = urls
  if (command === undefined || first === undefined) throw new Error('there is no pgbouncer, or nobody to serve')
  const account = unprivilegedAccount()
  const port = await freePort()
  const dir = await mkdtemp(join(tmpdir(), 'market-pgbouncer-'))
  removeWithUs(dir)
  const server = new URL(first)
  const [users, config] = [join(dir, 'users.txt'), join(dir, 'pgbouncer.ini')]
  const logins = new Map(urls.map((url) => [new URL(url).username, new URL(url).password]))
  await writeFile(users, [...logins].map(([name, password]) => `"${name}" "${password}"\n`).join(''), { mode: 0o600 })
  await writeFile(
    config,
    `[databases]
* = host=${server.hostname} port=${server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = ${mode}
default_pool_size = ${POOL_SIZE}
server_round_robin = ${robin}
max_client_conn = 200
log_connections = 0
log_disconnections = 0
`,
    { mode: 0o600 },
  )
  if (account) for (const path of [dir, users, config]) await chown(path, account.uid, account.gid)
  const through = (url: string) => Object.assign(new URL(url), { host: `127.0.0.1:${port}` }).href
  const spec: ProcessSpec = {
    ...{ name: 'pgbouncer', command, args: [config], env: {}, account, stopSignal: 'SIGINT', restartable: true },
    isReady: () => answers(through(first)),
    readyTimeoutMs: READY_TIMEOUT_MS,
  }
  const started = launch(spec, join(STATE_DIR, `logs/test/pgbouncer-${process.pid}-${port}.log`))
  await untilReady(spec, started)
  started.unref()
  return {
    through,
    stop: async () => {
      signal(started, 'SIGTERM')
      await started.ended
    },
  }
}

function program(): string | undefined {
  return PROGRAMS.find((path) => spawnSync(path, ['--version'], { stdio: 'ignore' }).status === 0)
}

async function answers(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}
