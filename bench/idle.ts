import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from '../cli/machine/ports.ts'
import { Sandbox } from '../cli/stack/sandbox.ts'
import { showStep } from '../cli/terminal/progress.ts'
import { cpuSecondsOf } from './processTime.ts'
import { type BenchRow, figure, judged } from './rows.ts'

/**
 * After the start: connections that it needed are closed by their pools when they were idle for ten seconds.
 */
const CALM_MS = 20_000
const MEASURED_MS = 60_000
const MS_PER_SECOND = 1_000
const GOAL = { startSeconds: 15, percent: 15, connections: 30 }

/**
 * What `./market up` takes to start, and what it uses while there is nothing to do: CPU time by process, and
 * connections.
 */
export async function bench(): Promise<BenchRow[]> {
  if (process.platform !== 'linux') throw new Error('CPU time by process is read from /proc, which only Linux has')
  const sandbox = new Sandbox({
    port: await freePort(),
    step: showStep,
    onNotice: tell,
    onLoss: ({ message }) => tell(message),
  })
  try {
    const startedMs = performance.now()
    const { database_url: databaseUrl } = await sandbox.start()
    const startSeconds = (performance.now() - startedMs) / MS_PER_SECOND
    await showStep('Waiting until it is calm', () => delay(CALM_MS))
    const percents = await showStep('Measuring', () => percentsOf(sandbox.pids()))
    const total = [...percents.values()].reduce((sum, percent) => sum + percent, 0)
    const connections = await countConnections(databaseUrl)
    return [
      judged(figure('start, warm', startSeconds, 's'), `≤ ${GOAL.startSeconds}`, startSeconds <= GOAL.startSeconds),
      ...[...percents].map(([name, percent]) => figure(`idle: ${name}`, percent, '% of a core')),
      judged(figure('idle: all processes', total, '% of a core'), `≤ ${GOAL.percent}`, total <= GOAL.percent),
      judged(
        figure('idle: database connections', connections, ''),
        `≤ ${GOAL.connections}`,
        connections <= GOAL.connections,
      ),
    ]
  } finally {
    await sandbox.stop()
  }
}

function tell(notice: string): void {
  process.stderr.write(`${notice}\n`)
}

/** The part of one core that each process and its children use. */
async function percentsOf(pids: ReadonlyMap<string, number>): Promise<Map<string, number>> {
  const read = () => Promise.all([...pids.values()].map(cpuSecondsOf))
  const [before, beganMs] = [await read(), performance.now()]
  await delay(MEASURED_MS)
  const [after, seconds] = [await read(), (performance.now() - beganMs) / MS_PER_SECOND]
  return new Map([...pids.keys()].map((name, at) => [name, (100 * ((after[at] ?? 0) - (before[at] ?? 0))) / seconds]))
}

async function countConnections(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rowCount } = await client.query(
      `select from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
    )
    return rowCount ?? 0
  } finally {
    await client.end()
  }
}
