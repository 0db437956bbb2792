import pino from 'pino'
import { summary } from './context/summary.ts'
import { readFacilitatorEnvironment } from './env.ts'
import { openKeystores, SECRET_VARIABLES } from './keystores.ts'
import { runFacilitator } from './run.ts'

const log = pino({ name: 'facilitator', level: process.env.LOG_LEVEL ?? 'info' })
const stop = new AbortController()
process.once('SIGTERM', () => stop.abort())
process.once('SIGINT', () => stop.abort())

try {
  const env = readFacilitatorEnvironment(await openKeystores(process.env))
  // A later dump of the environment contains no key.
  for (const name of SECRET_VARIABLES) delete process.env[name]
  await runFacilitator(env, log, stop.signal)
  log.info('stopped')
} catch (error) {
  log.fatal(summary(error))
  process.exitCode = 1
}
