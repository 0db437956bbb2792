import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from 'pino'
import { describeFault } from '../../faults.ts'

const RETRY_MS = 1_000
const CONNECT_TIMEOUT_MS = 10_000

export interface SessionOptions {
  channels: readonly string[]
  /** Called for each notification. */
  onNotification: (channel: string, payload: string) => void
  /** Called whenever the session starts to listen: notifications may have been missed before. */
  onOpen: () => void
  log: Logger
}

/**
 * The worker's own database session, separate from the pool. It receives the notifications that wake jobs, and holds
 * the advisory locks of the jobs that run here, so that a job occupies a connection of the pool only while it works.
 */
export class JobSession {
  readonly #databaseUrl: string
  readonly #options: SessionOptions
  /** The newest session. After its loss its queries fail at once, until another is open. */
  #client: pg.Client | undefined

  #lastQuery: Promise<unknown> = Promise.resolve()
  /** Whether the last session was lost, which is said once, and none is open since. */
  #isLost = false

  constructor(databaseUrl: string, options: SessionOptions) {
    this.#databaseUrl = databaseUrl
    this.#options = options
  }

  /** Connects and listens until `stop` aborts. A session that is lost is replaced after a second. */
  async keepOpen(stop: AbortSignal): Promise<void> {
    while (!stop.aborted) {
      const fault = await this.#openOnce(stop).then(() => undefined, describeFault)
      if (!stop.aborted) this.#sayLost(fault)
      await delay(RETRY_MS, undefined, { signal: stop }).catch(() => {})
    }
  }

  /**
   * Runs a task unless another worker runs it now. Returns false if another does, and before the session is first open.
   * The lock only saves work: jobs are safe to run twice at once, and a lost session loses its locks. Throws what the
   * task throws, and what pg throws when the session is lost.
   */
  async exclusively(name: string, task: () => Promise<void>): Promise<boolean> {
    const client = this.#client
    if (!client) return false
    const key = ['market.jobs', name]
    const lock = 'select pg_try_advisory_lock(hashtext($1), hashtext($2)) as "isHeld"'
    const { rows } = await this.#inTurn(() => client.query<{ isHeld: boolean }>(lock, key))
    if (!rows[0]?.isHeld) return false
    try {
      await task()
      return true
    } finally {
      await this.#inTurn(() => client.query('select pg_advisory_unlock(hashtext($1), hashtext($2))', key))
    }
  }

  #sayLost(fault: ReturnType<typeof describeFault> | undefined): void {
    const { channels, log } = this.#options
    if (!this.#isLost) log.warn({ channels, ...(fault ? { fault } : {}) }, 'the session of the jobs was lost')
    this.#isLost = true
  }

  /** A client of pg runs one query at a time. */
  #inTurn<Answer>(query: () => Promise<Answer>): Promise<Answer> {
    const answer = this.#lastQuery.then(query)
    this.#lastQuery = answer.catch(() => {})
    return answer
  }

  async #openOnce(stop: AbortSignal): Promise<void> {
    const { channels, onNotification, onOpen, log } = this.#options
    const client = new pg.Client({
      connectionString: this.#databaseUrl,
      application_name: 'market-worker-jobs',
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
    try {
      await client.connect()
      for (const channel of channels) await client.query(`listen ${pg.escapeIdentifier(channel)}`)
      this.#client = client
      if (this.#isLost) log.info({ channels }, 'the session of the jobs is open again')
      this.#isLost = false
      onOpen()
      await ended
    } finally {
      stop.removeEventListener('abort', end)
      await client.end().catch(() => {})
    }
  }
}
