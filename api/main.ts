import { createApp } from './app.ts'
import { keepFeeRates } from './config/feeRates.ts'
import { type ApiEnv, readApiEnv, settingsFrom } from './env.ts'
import { describeFault } from './faults.ts'
import { openLog } from './log.ts'
import { openRpc, REQUESTS, refuseOtherChain, refuseOtherDomain } from './payments/chain/nodes.ts'
import { refuseIndexOwner } from './payments/chain/refuseIndexOwner.ts'
import { openIndexPool, openPool } from './platform/db/pool.ts'
import { requireNamedStatements } from './platform/db/pooling.ts'
import { refuseOwner } from './platform/db/refuseOwner.ts'
import { inTransaction } from './platform/db/transaction.ts'
import { listen } from './platform/http/listen/listen.ts'
import type { ServedRoute } from './platform/http/serve/serve.ts'
import type { Services } from './platform/http/serve/services.ts'
import { memoryWindows, redisWindows, type Windows } from './platform/http/serve/windows.ts'
import { ensureSigningKeys } from './platform/signing/keys.ts'
import { reactions } from './reactions.ts'
import { Faucet } from './sandbox/faucet.ts'
import { refuseMovableClock } from './sandbox/guard.ts'
import { sandboxHandlers } from './sandbox/handlers.ts'
import { openDevelopmentNode } from './sandbox/node.ts'

const POOL_SIZE = 12
const INDEX_POOL_SIZE = 2

const log = openLog('api')
try {
  await start(readApiEnv())
} catch (error) {
  log.fatal({ fault: describeFault(error) }, error instanceof Error ? error.message : 'the API cannot start')
  process.exit(1)
}

async function start(env: ApiEnv): Promise<void> {
  const db = openPool(env.DATABASE_URL, {
    name: 'market-api',
    max: POOL_SIZE,
    pooler: env.DATABASE_POOLER,
    onError: (error) => log.warn({ fault: describeFault(error) }, 'database connection lost'),
  })
  const index = openIndexPool(env.INDEX_DATABASE_URL, {
    name: 'market-api',
    max: INDEX_POOL_SIZE,
    onError: (error) => log.warn({ fault: describeFault(error) }, 'connection to the index lost'),
  })
  const rpc = openRpc(env.RPC_URL, REQUESTS)
  await refuseOwner(db, env.MARKET_SANDBOX, log)
  if (env.DATABASE_POOLER === 'none') await requireNamedStatements(env.DATABASE_URL)
  await Promise.all([
    refuseIndexOwner(index, env.MARKET_SANDBOX, log),
    refuseMovableClock(db, env.MARKET_SANDBOX),
    refuseOtherChain(rpc, env.CHAIN_ID),
  ])
  const windows = await windowsOf(env)
  const settings = settingsFrom(env, reactions)
  const services = { db, index, rpc, settings, log, windows, trustedProxies: env.TRUSTED_PROXIES }
  await refuseOtherDomain(rpc, services.settings.chain)
  await inTransaction(db, 'read write', (tx) => keepFeeRates(tx, services.settings.rules.fees))
  await ensureSigningKeys(db, services.settings)
  const server = await listen(createApp(services, sandboxOf(env, services), env.CONSOLE_DIR), {
    host: env.HOST,
    port: env.PORT,
    rules: services.settings.rules,
  })
  log.info({ host: env.HOST, port: server.port }, 'listening')

  const stop = async (signal: string) => {
    log.info({ signal }, 'draining')
    await server.stop()
    await Promise.all([db.destroy(), index.destroy(), windows?.stop()])
    log.info('stopped')
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
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
