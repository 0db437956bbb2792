import pino from 'pino'
import { readFacilitatorEnvironment } from './env.ts'
import { runFacilitator } from './run.ts'
import { summary } from './summary.ts'

const log = pino({ name: 'facilitator', level: process.env.LOG_LEVEL ?? 'info' })
const stop = new AbortController()
process.once('SIGTERM', () => stop.abort())
process.once('SIGINT', () => stop.abort())

try {
  const env = readFacilitatorEnvironment(process.env)
  // Whoever prints the environment later finds no key in it.
  for (const name of ['SUBMITTER_KEY', 'RESOLVER_KEY', 'HOT_WALLET_KEY', 'X402_SECRET']) delete process.env[name]
  await runFacilitator(env, log, stop.signal)
  log.info('stopped')
} catch (error) {
  log.fatal(summary(error))
  process.exitCode = 1
}
