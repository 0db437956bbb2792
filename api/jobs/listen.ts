import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from 'pino'
import { describeFault } from '../faults.ts'

// What Ponder notifies after each block, through the schema of its views.
const CHANNEL = 'chain_live_query'
const RETRY_MS = 1_000

/** Calls `wake` whenever the index has taken in a block. Ends when `stop` aborts; a lost connection is made anew. */
export async function listenForBlocks(
  databaseUrl: string,
  wake: () => void,
  log: Logger,
  stop: AbortSignal,
): Promise<void> {
  while (!stop.aborted) {
    try {
      await listenOnce(databaseUrl, wake, stop)
    } catch (error) {
      if (!stop.aborted) log.warn({ fault: describeFault(error) }, 'not told of new blocks; asking for them meanwhile')
    }
    await delay(RETRY_MS, undefined, { signal: stop }).catch(() => {})
  }
}

async function listenOnce(databaseUrl: string, wake: () => void, stop: AbortSignal): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, keepAlive: true })
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>()
  client.on('error', reject)
  client.on('end', resolve)
  client.on('notification', wake)
  const end = () => resolve()
  stop.addEventListener('abort', end)
  try {
    await client.connect()
    await client.query(`listen ${CHANNEL}`)
    wake()
    await ended
  } finally {
    stop.removeEventListener('abort', end)
    await client.end().catch(() => {})
  }
}
