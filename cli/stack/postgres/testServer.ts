import { join } from 'node:path'
import { STATE_DIR } from '../../machine/paths.ts'
import { launch, untilReady } from '../../machine/process.ts'
import { createCluster } from './cluster.ts'

/**
 * Starts a server for tests, fast and not durable. It ends with this process. Returns the superuser's URL.
 */
export async function startTestServer(): Promise<string> {
  const cluster = await createCluster({ durable: false })
  const started = launch(cluster.spec, join(STATE_DIR, `logs/test/postgres-${process.pid}.log`))
  await untilReady(cluster.spec, started)
  started.unref()
  return cluster.adminUrl
}
