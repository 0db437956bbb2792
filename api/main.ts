import { indexFaults, marketFaults, refuse } from '../protocol/environment/databaseFaults.ts'
import { requireNamedStatements } from '../protocol/environment/pooler.ts'
import { requireChain } from '../protocol/environment/requireChain.ts'
import { openLog } from '../protocol/telemetry/log.ts'
import { serveMetrics } from '../protocol/telemetry/metrics.ts'
import { startTelemetry } from '../protocol/telemetry/openTelemetry.ts'
import { createApp } from './app.ts'
import { keepFeeRates } from './config/feeRates.ts'
import { type ApiEnv, readApiEnv, settingsFrom } from './env.ts'
import { describeFault } from './faults.ts'
import { getHealth } from './health/routes.ts'
import { countRequest, watchPools } from './metrics/instruments.ts'
import { openRpc, REQUESTS, tokenDomain } from './payments/chain/nodes.ts'
import { type Db, type IndexDb, openIndexPool, openPool, queryable } from './platform/db/pool.ts'
import { inTransaction } from './platform/db/transaction.ts'
import { listen } from './platform/http/listen/listen.ts'
import type { ServedRoute } from './platform/http/serve/serve.ts'
import type { Services } from './platform/http/serve/services.ts'
import { memoryWindows, redisWindows, type Windows } from './platform/http/serve/windows.ts'
import { ifReached, untilReached } from './platform/jobs/untilReached.ts'
import { ensureSigningKeys } from './platform/signing/keys.ts'
import { reactions } from './reactions.ts'
import { Faucet } from './sandbox/faucet.ts'
import { sandboxHandlers } from './sandbox/handlers.ts'
import { openDevelopmentNode } from './sandbox/node.ts'
import { schema } from './schema.ts'

/**
 * Above what any call needs, and below what a caller waits for: a call to a database that hangs gets its 503.
 */
const STATEMENT_TIMEOUT_MS = 10_000

const log = openLog('api', process.env)
try {
  await start(readApiEnv())
} catch (error) {
  log.fatal(
    { alarm: true, fault: describeFault(error) },
    error instanceof Error ? error.message : 'the API cannot start',
  )
  process.exit(1)
}

async function start(env: ApiEnv): Promise<void> {
  const endTelemetry = await startTelemetry('api', log, process.env)
  const { db, index } = openDatabases(env)
  watchPools({ market: db, index })
  const rpc = openRpc(env.RPC_URL, REQUESTS)
  const windows = await windowsOf(env)
  const settings = { ...settingsFrom(env, reactions), explorerUrl: env.EXPLORER_URL }
  const services = {
    db,
    index,
    rpc,
    settings,
    log,
    windows,
    trustedProxies: env.TRUSTED_PROXIES,
    onAnswered: countRequest,
  }
  const stop = new AbortController()
  let isPrepared = false
  const waiting = Promise.withResolvers<void>()
  const options = { log, stop: stop.signal, onWait: waiting.resolve }
  const prepared = untilReached(() => prepare(env, services), options).then(() => {
    isPrepared = !stop.signal.aborted
  })
  // While the database is down the API listens: it says so, and that it lives.
  await Promise.race([prepared, waiting.promise])
  const server = await listen(createApp(services, sandboxOf(env, services), env.CONSOLE_DIR), {
    ...{ host: env.HOST, port: env.PORT, rules: services.settings.rules },
    isOpen: ({ url }) => isPrepared || new URL(url).pathname === getHealth.path,
  })
  const metrics = await serveMetrics(log, env)
  log.info({ host: env.HOST, port: server.port, metricsPort: metrics?.port }, 'listening')

  const end = async (signal: string) => {
    log.info({ signal }, 'draining')
    stop.abort()
    await server.stop()
    metrics?.stop()
    await Promise.all([db.destroy(), index.destroy(), windows?.stop(), endTelemetry()])
    log.info('stopped')
  }
  process.once('SIGTERM', end)
  process.once('SIGINT', end)
  await prepared
}

function openDatabases(env: ApiEnv): { db: Db; index: IndexDb } {
  const lost = (what: string) => (error: Error) => log.warn({ fault: describeFault(error) }, what)
  const shared = { name: `market-api ${schema.version}`, statementTimeoutMs: STATEMENT_TIMEOUT_MS }
  return {
    db: openPool(env.DATABASE_URL, {
      ...shared,
      max: env.DATABASE_CONNECTIONS,
      pooler: env.DATABASE_POOLER,
      onError: lost('database connection lost'),
    }),
    index: openIndexPool(env.INDEX_DATABASE_URL, {
      ...shared,
      max: env.INDEX_CONNECTIONS,
      onError: lost('connection to the index lost'),
    }),
  }
}

/**
 * Refuses databases and nodes that the API must not serve from, and writes what every API needs. It can be
 * repeated.
 */
async function prepare(env: ApiEnv, { db, index, rpc, settings }: Services): Promise<void> {
  const given = { program: schema, isSandbox: env.MARKET_SANDBOX, warn: (fault: string) => log.warn(fault) }
  refuse(await marketFaults(queryable(db), 'api', given), given)
  if (env.DATABASE_POOLER === 'none') await requireNamedStatements(env.DATABASE_URL)
  const refuseIndex = async (known: IndexDb) =>
    refuse(await indexFaults(queryable(known), 'market_index_reader'), given)
  await Promise.all([
    index && ifReached(refuseIndex(index)),
    ifReached(requireChain(rpc, env.CHAIN_ID).then(() => tokenDomain(rpc, settings.chain))),
  ])
  await inTransaction(db, 'read write', (tx) => keepFeeRates(tx, settings.rules.fees))
  await ensureSigningKeys(db, settings)
}

/** Returns the store of request counts for the limits; undefined if they are in the database. */
async function windowsOf({ SINGLE_API, REDIS_URL }: ApiEnv): Promise<Windows | undefined> {
  if (SINGLE_API) return memoryWindows()
  return REDIS_URL === undefined ? undefined : redisWindows(REDIS_URL, log)
}

function sandboxOf(env: ApiEnv, { rpc, settings }: Services): ServedRoute[] {
  if (!env.MARKET_SANDBOX || !env.SANDBOX_MINTER_KEY) return []
  const { token } = settings.chain
  const faucet = new Faucet({ rpcUrl: env.RPC_URL, token, minterKey: env.SANDBOX_MINTER_KEY }, rpc)
  return sandboxHandlers(openDevelopmentNode(env.RPC_URL), faucet)
}
