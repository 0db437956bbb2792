import { createApp } from './app.ts'
import { openRpc, refuseOtherChain } from './chain/client.ts'
import { refuseOtherDomain } from './chain/tokenDomain.ts'
import { openPool } from './db/pool.ts'
import { type ApiEnv, readApiEnv, settingsFrom } from './env.ts'
import { describeFault } from './faults.ts'
import { listen } from './http/listen.ts'
import type { ServedRoute, Services } from './http/serve.ts'
import { openLog } from './log.ts'
import { Faucet } from './sandbox/faucet.ts'
import { refuseMovableClock } from './sandbox/guard.ts'
import { sandboxHandlers } from './sandbox/handlers.ts'
import { openDevelopmentNode } from './sandbox/node.ts'

const POOL_SIZE = 20

const log = openLog('api')
try {
  await start(readApiEnv())
} catch (error) {
  log.fatal({ fault: describeFault(error) }, error instanceof Error ? error.message : 'the API cannot start')
  process.exit(1)
}

async function start(env: ApiEnv): Promise<void> {
  const db = openPool(env.DATABASE_URL, {
    max: POOL_SIZE,
    onError: (error) => log.warn({ fault: describeFault(error) }, 'database connection lost'),
  })
  const rpc = openRpc(env.RPC_URL)
  await Promise.all([refuseMovableClock(db, env.MARKET_SANDBOX), refuseOtherChain(rpc, env.CHAIN_ID)])
  const services = { db, rpc, settings: settingsFrom(env), log, trustedProxies: env.TRUSTED_PROXIES }
  await refuseOtherDomain(rpc, services.settings.chain)
  const server = await listen(createApp(services, sandboxOf(env, services)), {
    host: env.HOST,
    port: env.PORT,
    rules: services.settings.rules,
  })
  log.info({ host: env.HOST, port: server.port }, 'listening')

  const stop = async (signal: string) => {
    log.info({ signal }, 'draining')
    await server.stop()
    await db.destroy()
    log.info('stopped')
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
}

function sandboxOf(env: ApiEnv, { rpc, settings }: Services): ServedRoute[] {
  if (!env.MARKET_SANDBOX || !env.SANDBOX_MINTER_KEY) return []
  const { token } = settings.chain
  const faucet = new Faucet({ rpcUrl: env.RPC_URL, token, minterKey: env.SANDBOX_MINTER_KEY }, rpc)
  return sandboxHandlers(openDevelopmentNode(env.RPC_URL), faucet)
}
