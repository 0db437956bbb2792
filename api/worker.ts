import { setTimeout as delay } from 'node:timers/promises'
import { openRpc, refuseOtherChain } from './chain/client.ts'
import { type Db, openPool } from './db/pool.ts'
import { readWorkerEnv, settingsFrom, type WorkerEnv } from './env.ts'
import { describeFault, isOutage } from './faults.ts'
import { allJobs, connectionsOf } from './jobs/all.ts'
import { listenForBlocks } from './jobs/listen.ts'
import { Progress } from './jobs/progress.ts'
import { Runner } from './jobs/runner.ts'
import { openWakeups, type Wakeups } from './jobs/wakeups.ts'
import { openLog } from './log.ts'
import { serveMetrics } from './metrics/serve.ts'
import { refuseMovableClock } from './sandbox/guard.ts'

const RETRY_MS = 1_000

const log = openLog('worker')
try {
  await start(readWorkerEnv())
} catch (error) {
  log.fatal({ fault: describeFault(error) }, error instanceof Error ? error.message : 'the worker cannot start')
  process.exit(1)
}

async function start(env: WorkerEnv): Promise<void> {
  const stop = new AbortController()
  const progress = new Progress()
  const jobs = allJobs(progress)
  const db = openPool(env.DATABASE_URL, {
    max: connectionsOf(jobs),
    onError: (error) => log.warn({ fault: describeFault(error) }, 'database connection lost'),
  })
  const rpc = openRpc(env.RPC_URL)
  const verifyRpc = env.RPC_VERIFY_URL === undefined ? undefined : openRpc(env.RPC_VERIFY_URL)
  const runner = new Runner({ db, rpc, verifyRpc, settings: settingsFrom(env), log }, jobs, progress)
  for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => stop.abort())

  await untilReached(
    () =>
      Promise.all([
        refuseMovableClock(db, env.MARKET_SANDBOX),
        refuseOtherChain(rpc, env.CHAIN_ID),
        verifyRpc && refuseOtherChain(verifyRpc, env.CHAIN_ID, 'RPC_VERIFY_URL'),
      ]),
    stop.signal,
  )
  const metrics = await openMetrics(env, db)
  const wakeups = await untilReached<Wakeups>(
    () => openWakeups(env.DATABASE_URL, jobs, (name) => runner.wake(name), log),
    stop.signal,
  )
  log.info('working')
  await listenForBlocks(env.DATABASE_URL, () => void runner.wake('settle'), log, stop.signal)

  log.info('draining')
  metrics?.stop()
  await wakeups?.close()
  await runner.stop()
  await db.destroy()
  log.info('stopped')
}

/** Only where a port is named. */
async function openMetrics({ METRICS_PORT: port, METRICS_HOST: host }: WorkerEnv, db: Db) {
  return port === undefined ? undefined : serveMetrics(db, log, { host, port })
}

/** Waits out a database or a node that cannot be reached yet. Undefined when it was told to stop before. */
async function untilReached<Value>(reach: () => Promise<Value>, stop: AbortSignal): Promise<Value | undefined> {
  while (!stop.aborted) {
    try {
      return await reach()
    } catch (error) {
      if (!isOutage(error)) throw error
      log.warn({ fault: describeFault(error) }, 'waiting for the database')
      await delay(RETRY_MS, undefined, { signal: stop }).catch(() => {})
    }
  }
  return undefined
}
