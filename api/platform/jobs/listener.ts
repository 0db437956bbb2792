import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from 'pino'
import { type SilenceTiming, type SilenceWatch, watchForSilence } from '../../../protocol/environment/silence.ts'
import { describeFault } from '../../faults.ts'

const RETRY_MS = 1_000
const CONNECT_TIMEOUT_MS = 10_000

interface ListenerOptions {
  channels: readonly string[]
  /** Called for each notification. */
  onNotification: (channel: string, payload: string) => void
  /** Called whenever the session starts to listen: notifications may have been missed before. */
  onOpen: () => void
  /**
   * Called when the session does not answer any more, without an end: what else waits for the database may
   * wait as long.
   */
  onSilence: () => void
  log: Logger
  timing?: SilenceTiming
}

/**
 * Listens in its own database session until `stop` aborts. A lost session is replaced after a second; the
 * first loss is logged, and so is the recovery.
 */
export async function listen(databaseUrl: string, options: ListenerOptions, stop: AbortSignal): Promise<void> {
  const { channels, log } = options
  let isLost = false
  const onOpen = () => {
    if (isLost) log.info({ channels }, 'notifications are heard again')
    isLost = false
    options.onOpen()
  }
  while (!stop.aborted) {
    const fault = await listenOnce(databaseUrl, { ...options, onOpen }, stop).then(() => undefined, describeFault)
    if (!stop.aborted && !isLost) {
      log.warn({ channels, ...(fault ? { fault } : {}) }, 'the session that hears notifications was lost')
      isLost = true
    }
    await delay(RETRY_MS, undefined, { signal: stop }).catch(() => {})
  }
}

/** Resolves when the session has ended, or should end. Throws if it cannot be opened. */
async function listenOnce(databaseUrl: string, options: ListenerOptions, stop: AbortSignal): Promise<void> {
  const { channels, onNotification, onOpen, onSilence, timing } = options
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: 'market-worker-listener',
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  })
  // Never rejects: if the session ends while a query runs, the query fails.
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  const end = () => resolve()
  client.on('error', end)
  client.on('end', end)
  client.on('notification', ({ channel, payload = '' }) => onNotification(channel, payload))
  stop.addEventListener('abort', end)
  let silence: SilenceWatch | undefined
  try {
    await client.connect()
    for (const channel of channels) await client.query(`listen ${pg.escapeIdentifier(channel)}`)
    onOpen()
    silence = watchForSilence(client, timing)
    void silence.fallen.then(onSilence)
    await ended
  } finally {
    silence?.stop()
    stop.removeEventListener('abort', end)
    await client.end().catch(() => {})
  }
}
