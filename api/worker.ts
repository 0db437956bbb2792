import { once } from 'node:events'
import { indexFaults, marketFaults, refuse } from '../protocol/environment/databaseFaults.ts'
import { requireNamedStatements, requireSession, requireSessionUrl } from '../protocol/environment/pooler.ts'
import { requireChain } from '../protocol/environment/requireChain.ts'
import { openLog } from '../protocol/telemetry/log.ts'
import { serveMetrics } from '../protocol/telemetry/metrics.ts'
import { startTelemetry } from '../protocol/telemetry/openTelemetry.ts'
import { modelOf } from './config/arbitrator.ts'
import { queuePlaceOf, readWorkerEnv, sessionUrlOf, settingsFrom, type WorkerEnv } from './env.ts'
import { describeFault } from './faults.ts'
import { allJobs } from './jobs.ts'
import { readMetrics } from './metrics/gauges.ts'
import { countJob, countRefusal, watchPools } from './metrics/instruments.ts'
import { readLogMetrics } from './metrics/readers.ts'
import { openRpc } from './payments/chain/nodes.ts'
import { mayMoveMoney, nextPass, Progress } from './payments/chain/progress.ts'
import { type Db, type IndexDb, openIndexPool, openPool, queryable } from './platform/db/pool.ts'
import { emptyQueue } from './platform/jobs/connection.ts'
import { listen } from './platform/jobs/listener.ts'
import { JobQueue } from './platform/jobs/queue.ts'
import { JobRuns } from './platform/jobs/run.ts'
import type { JobServices } from './platform/jobs/services.ts'
import { ifReached, untilReached } from './platform/jobs/untilReached.ts'
import { marketWebhooks } from './platform/webhooks/family.ts'
import { WebhookPump } from './platform/webhooks/pump.ts'
import { reactions } from './reactions.ts'
import { schema } from './schema.ts'
import { orgWebhooks } from './workspace/webhooks/family.ts'

/** The channel that Ponder notifies after each block, through the schema of its views. */
const BLOCKS_CHANNEL = 'chain_live_query'
/** The channel that our schema notifies with the name of a job, or * for all. */
const JOBS_CHANNEL = 'market_jobs'
/**
 * Above the limits of its logins (roles.ts), by which a server ends a statement: only one that hangs, or
 * cannot be reached, is slower.
 */
const STATEMENT_TIMEOUTS_MS = { market: 610_000, index: 15_000 }

/** The exit code by which a supervisor restarts the process: the failure is temporary. */
const EXIT_TEMPORARY_FAILURE = 75

const log = openLog('worker', process.env)
try {
  await start(readWorkerEnv())
} catch (error) {
  log.fatal(
    { alarm: true, fault: describeFault(error) },
    error instanceof Error ? error.message : 'the worker cannot start',
  )
  process.exit(1)
}

async function start(env: WorkerEnv): Promise<void> {
  const stop = new AbortController()
  const progress = new Progress()
  const endTelemetry = await startTelemetry('worker', log, process.env)
  const { db, index } = openDatabases(env)
  watchPools({ market: db, index })
  const rpc = openRpc(env.RPC_URL)
  const verifyRpc = env.RPC_VERIFY_URL === undefined ? undefined : openRpc(env.RPC_VERIFY_URL)
  const services = {
    db,
    rpc,
    verifyRpc,
    settings: { ...settingsFrom(env, reactions), model: modelOf(env) },
    log,
  }
  let queue: JobQueue | undefined
  const pump = new WebhookPump({ market: marketWebhooks, org: orgWebhooks }, services, {
    wake: () => queue?.wake('webhooks'),
  })
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => stop.abort())

  queue = await untilReached(
    async () => {
      await refuseUnfit(env, services, index)
      // Before any job: a stolen login may have written to the queue.
      if (env.REDIS_URL === undefined) await emptyQueue(db)
      const parts = { index, progress, settleLanes: env.SETTLE_LANES, sendWebhooks: () => pump.pass() }
      const runs = new JobRuns({ services, isFenceOpen: await openFence(services), onRun: countJob })
      return JobQueue.open({
        place: queuePlaceOf(env),
        jobs: allJobs(parts),
        run: (job) => runs.once(job),
        onRefusal: countRefusal,
        log,
      })
    },
    { log, stop: stop.signal },
  )
  const metrics = await serveMetrics(log, env, { parts: [() => readMetrics(db), () => readLogMetrics(db)] })
  const drained = new AbortController()
  const listening = queue && listenForWork(env, queue, drained.signal)
  log.info({ metricsPort: metrics?.port }, 'working')
  if (!stop.signal.aborted) await once(stop.signal, 'abort')

  log.info('draining')
  metrics?.stop()
  drained.abort()
  await listening
  await queue?.close()
  await pump.stop()
  await Promise.all([db.destroy(), index.destroy(), endTelemetry()])
  log.info('stopped')
}

/** Throws if a worker must not run with these databases or nodes. */
async function refuseUnfit(env: WorkerEnv, { db, rpc, verifyRpc }: JobServices, index: IndexDb): Promise<void> {
  const given = { program: schema, isSandbox: env.MARKET_SANDBOX, warn: (fault: string) => log.warn(fault) }
  refuse(await marketFaults(queryable(db), 'worker', given), given)
  await requireSessions(env)
  const refuseIndex = async () => refuse(await indexFaults(queryable(index), 'market_index_reader'), given)
  // While the index or a node is down, nothing is settled, but everything else continues.
  await Promise.all([
    ifReached(refuseIndex()),
    ifReached(requireChain(rpc, env.CHAIN_ID)),
    verifyRpc && ifReached(requireChain(verifyRpc, env.CHAIN_ID, 'RPC_VERIFY_URL')),
  ])
}

function openDatabases(env: WorkerEnv): { db: Db; index: IndexDb } {
  const lost = (what: string) => (error: Error) => log.warn({ fault: describeFault(error) }, what)
  const name = `market-worker ${schema.version}`
  return {
    db: openPool(env.DATABASE_URL, {
      name,
      statementTimeoutMs: STATEMENT_TIMEOUTS_MS.market,
      max: env.DATABASE_CONNECTIONS,
      pooler: env.DATABASE_POOLER,
      onError: lost('database connection lost'),
    }),
    index: openIndexPool(env.INDEX_DATABASE_URL, {
      name,
      statementTimeoutMs: STATEMENT_TIMEOUTS_MS.index,
      max: env.INDEX_CONNECTIONS,
      onError: lost('index connection lost'),
    }),
  }
}

/** Returns whether jobs may move money: only once the chain is known up to the start of this worker. */
async function openFence({ db }: JobServices): Promise<() => Promise<boolean>> {
  const startedAtPass = await nextPass(db)
  return () => mayMoveMoney(db, startedAtPass)
}

/**
 * Turns the notifications of our schema, and Ponder's notifications of indexed blocks, into wake-ups.
 * Whenever a connection opens, wakes the jobs that may have missed a notification.
 */
async function listenForWork(env: WorkerEnv, queue: JobQueue, stop: AbortSignal): Promise<void> {
  const onJobs = (_channel: string, name: string) => (name === '*' ? queue.wakeAll() : queue.wake(name))
  const onBlock = () => queue.wake('settle')
  await Promise.all([
    listen(
      sessionUrlOf(env),
      {
        channels: [JOBS_CHANNEL],
        onNotification: onJobs,
        onOpen: () => queue.wakeAll(),
        onSilence: () => endSilent('the database'),
        log,
      },
      stop,
    ),
    listen(
      env.INDEX_DATABASE_URL,
      {
        channels: [BLOCKS_CHANNEL],
        onNotification: onBlock,
        onOpen: onBlock,
        onSilence: () => endSilent('the database of the index'),
        log,
      },
      stop,
    ),
  ])
}

/**
 * Ends a worker whose statements may wait for ten minutes, and would keep their jobs from the other workers.
 */
function endSilent(what: string): void {
  log.fatal(`the sessions in ${what} have fallen silent`)
  process.exit(EXIT_TEMPORARY_FAILURE)
}

/**
 * Throws an Error if a connection that needs a session has none, or one that uses named statements cannot use
 * them.
 */
async function requireSessions(env: WorkerEnv): Promise<void> {
  await requireSessionUrl(env, 'notifications and the queue of jobs need')
  const need = { variable: 'INDEX_DATABASE_URL', needs: 'notifications of new blocks need' }
  await ifReached(requireSession(env.INDEX_DATABASE_URL, need))
  if (env.DATABASE_POOLER === 'none') await requireNamedStatements(env.DATABASE_URL)
}
