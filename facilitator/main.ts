import { openLog } from '../protocol/telemetry/log.ts'
import { serveMetrics } from '../protocol/telemetry/metrics.ts'
import { startTelemetry } from '../protocol/telemetry/openTelemetry.ts'
import { summary } from './context/summary.ts'
import { readFacilitatorEnvironment } from './env.ts'
import { openKeystores, SECRET_VARIABLES } from './keystores.ts'
import { runFacilitator } from './run.ts'

const log = openLog('facilitator', process.env)
const stop = new AbortController()
process.once('SIGTERM', () => stop.abort())
process.once('SIGINT', () => stop.abort())

try {
  const env = readFacilitatorEnvironment(await openKeystores(process.env))
  // A later dump of the environment contains no key.
  for (const name of SECRET_VARIABLES) delete process.env[name]
  const endTelemetry = await startTelemetry('facilitator', log, process.env)
  const metrics = await serveMetrics(log, env)
  await runFacilitator(env, log, stop.signal).finally(async () => {
    metrics?.stop()
    await endTelemetry()
  })
  log.info('stopped')
} catch (error) {
  log.fatal({ alarm: true }, summary(error))
  process.exitCode = 1
}
