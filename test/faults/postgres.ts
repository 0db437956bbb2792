import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { launch, type ProcessSpec, type StartedProcess, signal, untilReady } from '../../cli/machine/process.ts'
import { createCluster } from '../../cli/stack/postgres/cluster.ts'
import { openWay, type Standby, startStandby } from '../kit/stack/standby.ts'
import { until } from '../kit/until.ts'
import { fillDisk, missingDisks, mountDisk, unmountDisk } from './disks.ts'

const LOG_DISK_BYTES = 536_870_912
// A standby finds what was written while it was away.
const LOG_SETTINGS = [
  'min_wal_size=32MB',
  'max_wal_size=64MB',
  'wal_keep_size=192MB',
  'wal_retrieve_retry_interval=500ms',
]
// The server keeps segments for reuse: so many and a few more are used up before it needs a new one.
const MOST_SEGMENTS = 40

/**
 * A durable primary and a standby that has every commit before it is answered, behind an address that leads
 * to the primary.
 */
export interface Postgres {
  /** The superuser's URL, by that address. */
  url: string
  /** The process id of the primary. */
  pid: () => number
  /** Ends the primary by a signal: SIGKILL, or SIGQUIT for an immediate stop. */
  crash: (name: 'SIGKILL' | 'SIGQUIT') => Promise<void>
  /** Starts the primary again, if it has ended. */
  revive: () => Promise<void>
  /** Kills the primary, promotes the standby, and leads there. Returns how to have a standby again. */
  failOver: () => Promise<() => Promise<void>>
  /** Fills the disk of the write-ahead log until the primary cannot go on. Returns how to free it. */
  fillLog: () => Promise<() => Promise<void>>
  /** Ends all sessions of the processes. Returns how many. */
  endSessions: () => Promise<number>
  stop: () => Promise<void>
}

interface Server {
  spec: ProcessSpec
  process: StartedProcess
  adminUrl: string
}

/** Starts both servers. */
export async function startPostgres(logDir: string): Promise<Postgres> {
  const cluster = await createCluster({ durable: true })
  const args = [...cluster.spec.args, ...LOG_SETTINGS.flatMap((setting) => ['-c', setting])]
  const spec = { ...cluster.spec, args }
  const prepare = async (dataDir: string) => {
    if (missingDisks() === undefined) await mountDisk(join(dataDir, 'pg_wal'), LOG_DISK_BYTES, spec.account)
  }
  await prepare(dataDirOf(spec))
  const start = async (which: ProcessSpec) => {
    const started = launch(which, join(logDir, 'postgres.log'))
    started.unref()
    await untilReady(which, started)
    return started
  }
  let primary: Server = { spec, process: await start(spec), adminUrl: cluster.adminUrl }
  const way = await openWay(primary.adminUrl)
  let standby = await addStandby()

  async function addStandby(): Promise<Standby> {
    const added = await startStandby(primary, { prepare, logFile: join(logDir, 'standby.log') })
    await configure(primary, `alter system set synchronous_standby_names = '*'`)
    return added
  }
  const crash = async (name: 'SIGKILL' | 'SIGQUIT') => {
    signal(primary.process, name)
    await primary.process.ended
  }
  return {
    url: way.url,
    pid: () => primary.process.pid,
    crash,
    revive: async () => {
      if (primary.process.hasEnded()) primary.process = await start(primary.spec)
    },
    failOver: async () => {
      // Or the new primary waits with each commit for a standby that it does not have.
      await configure(standby, 'alter system reset synchronous_standby_names')
      await crash('SIGKILL')
      const former = primary
      await standby.promote()
      primary = standby
      way.leadTo(primary.adminUrl)
      return async () => {
        await discard(former)
        standby = await addStandby()
      }
    },
    fillLog: () => fillLog(primary),
    endSessions: () => endSessions(primary),
    stop: async () => {
      way.stop()
      for (const server of [standby, primary]) signal(server.process, 'SIGQUIT')
      await Promise.all([standby, primary].map((server) => server.process.ended))
    },
  }
}

async function fillLog(primary: Server): Promise<() => Promise<void>> {
  const free = await fillDisk(join(dataDirOf(primary.spec), 'pg_wal'))
  const fillUp = async () => {
    const client = new pg.Client({ connectionString: primary.adminUrl, connectionTimeoutMillis: 1_000 })
    client.on('error', () => {})
    try {
      await client.connect()
      for (let used = 0; used < MOST_SEGMENTS; used++)
        await client.query(
          `set synchronous_commit = local; select pg_logical_emit_message(true, 'fault', ''), pg_switch_wal()`,
        )
      return false
    } catch {
      return true
    } finally {
      await client.end().catch(() => {})
    }
  }
  await until('the log is full', fillUp)
  return free
}

async function endSessions(primary: Server): Promise<number> {
  const [row] = await ask<{ count: string }>(
    primary,
    `select count(pg_terminate_backend(pid)) as count from pg_stat_activity where usename like 'market%'`,
  )
  return Number(row?.count)
}

async function configure(server: Server, statement: string): Promise<void> {
  await ask(server, statement)
  await ask(server, 'select pg_reload_conf()')
}

async function discard({ spec }: Server): Promise<void> {
  const dataDir = dataDirOf(spec)
  await unmountDisk(join(dataDir, 'pg_wal'))
  await rm(dataDir, { recursive: true, force: true })
}

async function ask<Row extends pg.QueryResultRow>({ adminUrl }: Server, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: adminUrl })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<Row>(statement)).rows
  } finally {
    await client.end().catch(() => {})
  }
}

function dataDirOf({ args }: ProcessSpec): string {
  return String(args[args.indexOf('-D') + 1])
}
