import { execFile } from 'node:child_process'
import { appendFile, chown, readdir, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { STATE_DIR } from '../../../cli/machine/paths.ts'
import { freePort } from '../../../cli/machine/ports.ts'
import { launch, type ProcessSpec, type StartedProcess, untilReady } from '../../../cli/machine/process.ts'
import { until } from '../until.ts'

/** A server that streams what another one writes. */
export interface Standby {
  spec: ProcessSpec
  process: StartedProcess
  adminUrl: string
  /** Waits until it has all that the primary has written. */
  catchUp: () => Promise<void>
  /** Has it receive nothing more, as when the network between them breaks. */
  detach: () => Promise<void>
  /** Makes it the primary, on a timeline of its own. */
  promote: () => Promise<void>
}

/** Starts a standby of a running server: a base copy, as pg_basebackup makes it, and streaming from there. */
export async function startStandby(
  primary: { spec: ProcessSpec; adminUrl: string },
  {
    prepare = async () => {},
    logFile = join(STATE_DIR, `logs/test/standby-${process.pid}.log`),
  }: {
    /** Called with the folder of its data before it starts. */
    prepare?: (dataDir: string) => Promise<void>
    logFile?: string
  } = {},
): Promise<Standby> {
  const port = await freePort()
  const dataDir = primary.spec.args[primary.spec.args.indexOf('-D') + 1] ?? ''
  const copy = join(dirname(dataDir), `standby-${port}`)
  await ask(primary.adminUrl, async (client) => {
    await client.query(`select pg_backup_start('standby', true)`)
    await promisify(execFile)('cp', ['-a', dataDir, copy])
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
    const label = join(copy, 'backup_label')
    await writeFile(label, rows[0]?.labelfile ?? '')
    const { account } = primary.spec
    if (account) await chown(label, account.uid, account.gid)
  })
  await rm(join(copy, 'postmaster.pid'))
  // The log is streamed from where the copy began.
  for (const entry of await readdir(join(copy, 'pg_wal'), { withFileTypes: true })) {
    if (entry.isFile()) await rm(join(copy, 'pg_wal', entry.name))
  }
  const from = new URL(primary.adminUrl)
  const source = `host=${from.hostname} port=${from.port} user=${from.username} password=${from.password}`
  await appendFile(join(copy, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`)
  await writeFile(join(copy, 'standby.signal'), '')
  from.port = String(port)
  const adminUrl = from.href
  const answers = () =>
    ask(adminUrl, (client) => client.query('select 1')).then(
      () => true,
      () => false,
    )
  const args = primary.spec.args.map((arg) => (arg === dataDir ? copy : arg.startsWith('port=') ? `port=${port}` : arg))
  const spec = { ...primary.spec, args, isReady: answers }
  await prepare(copy)
  const started = launch(spec, logFile)
  started.unref()
  await untilReady(spec, started)
  return {
    ...{ spec, process: started, adminUrl },
    async catchUp() {
      const written = await ask(primary.adminUrl, (client) => one(client, 'select pg_current_wal_flush_lsn()'))
      await ask(adminUrl, (client) =>
        until('the standby has all', () => one(client, `select pg_last_wal_replay_lsn() >= '${written}'::pg_lsn`)),
      )
    },
    detach: () =>
      ask(adminUrl, async (client) => {
        await client.query(`alter system set primary_conninfo = ''`)
        await client.query('select pg_reload_conf()')
        await until('nothing is received', () => one(client, 'select count(*) = 0 from pg_stat_wal_receiver'))
      }),
    promote: () => ask(adminUrl, async (client) => void (await client.query('select pg_promote()'))),
  }
}

async function ask<Answer>(url: string, task: (client: pg.Client) => Promise<Answer>): Promise<Answer> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    return await task(client)
  } finally {
    await client.end().catch(() => {})
  }
}

async function one(client: pg.Client, query: string): Promise<unknown> {
  const { rows } = await client.query<unknown[]>({ text: query, rowMode: 'array' })
  return rows[0]?.[0]
}

/** An address that leads to one server at a time, as that of a cluster does. */
export interface Way {
  /** The same URL as that of the first server, at this address. */
  url: string
  /** Leads new connections to another server, and cuts those to the former. */
  leadTo: (url: string) => void
  /**
   * Forwards nothing more and ends no connection, as when a firewall forgets them. Returns how to have new
   * connections forwarded again; those there were stay silent.
   */
  stall: () => () => void
  stop: () => void
}

/** Opens an address that leads to the server at `url`. */
export async function openWay(url: string): Promise<Way> {
  let port = Number(new URL(url).port)
  let isStalled = false
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    if (isStalled) return void sockets.add(client.on('error', () => {}))
    const database = connect(port, '127.0.0.1')
    for (const [one, other] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(one)
      one
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(one)
          other.destroy()
        })
      one.pipe(other)
    }
  })
  const { promise: listening, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await listening
  const own = new URL(url)
  own.port = String((server.address() as AddressInfo).port)
  const cut = () => {
    for (const socket of sockets) socket.destroy()
    sockets.clear()
  }
  return {
    url: own.href,
    leadTo(next) {
      port = Number(new URL(next).port)
      cut()
    },
    stall() {
      isStalled = true
      for (const socket of sockets) socket.unpipe().pause()
      return () => {
        isStalled = false
      }
    },
    stop() {
      server.close()
      cut()
    },
  }
}
