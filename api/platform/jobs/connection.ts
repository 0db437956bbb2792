import { createPostgresBackend, type IQueueBackend, type Processor, Queue, Worker, type WorkerOptions } from 'bullmq'
import { sql } from 'kysely'
import type { Db } from '../db/pool.ts'
import { inTransaction } from '../db/transaction.ts'

const QUEUE = 'jobs'
const POOL_SIZE = 1
/** BullMQ's tables of queues. Those of jobs' logs and dependencies end with their jobs. */
const QUEUE_TABLES = ['job', 'scheduler', 'dedup', 'dedup_next', 'rate_limit', 'event', 'metrics', 'meta']

/** The location of the queue: PostgreSQL, as a URL whose sessions are not shared, or Redis. */
export type QueuePlace = { databaseUrl: string } | { redisUrl: string }

/** Names a job in the queue. It has no data: our tables say what to do. */
type Processing = Processor<unknown, void, string>
type Timing = Omit<WorkerOptions<unknown>, 'connection' | 'telemetry'>

/** The part of BullMQ's `Queue` that `JobQueue` uses, the same for PostgreSQL and Redis. */
export type Jobs = Pick<
  Queue,
  'addBulk' | 'close' | 'getJobSchedulers' | 'removeJobScheduler' | 'upsertJobScheduler' | 'waitUntilReady'
>

/** The part of BullMQ's `Worker` that `JobQueue` uses. */
export type JobTaker = Pick<Worker, 'close' | 'waitUntilReady'> & {
  getBackend: () => Pick<IQueueBackend, 'moveStalledJobsToWait'>
}

/** Opens the queue. `onError` receives the errors of its connection. */
export function openJobs(place: QueuePlace, onError: (error: Error) => void): Jobs {
  if ('redisUrl' in place) return new Queue(QUEUE, { connection: { url: place.redisUrl } }).on('error', onError)
  const connection = { connectionString: place.databaseUrl, max: POOL_SIZE }
  return new Queue(QUEUE, { connection }, createPostgresBackend).on('error', onError)
}

/** Opens the worker that takes jobs out of the queue and processes them. */
export function openJobTaker(
  place: QueuePlace,
  process: Processing,
  { onError, ...timing }: Timing & { onError: (error: Error) => void },
): JobTaker {
  if ('redisUrl' in place)
    return new Worker(QUEUE, process, { ...timing, connection: { url: place.redisUrl } }).on('error', onError)
  const connection = { connectionString: place.databaseUrl, max: POOL_SIZE }
  return new Worker(QUEUE, process, { ...timing, connection }, createPostgresBackend).on('error', onError)
}

/**
 * Empties the queue in PostgreSQL, so that no row from a stolen login keeps its jobs from running or ending.
 * Loses nothing: our own rows say what to do. The end of a job that another worker is running is refused, and
 * the job runs again.
 */
export function emptyQueue(db: Db): Promise<void> {
  // `Queue.obliterate` does it in several transactions: a worker that is killed between them leaves the queue
  // paused.
  return inTransaction(db, 'read write', async (tx) => {
    for (const table of QUEUE_TABLES) await sql`delete from ${sql.table(`bullmq.${table}`)}`.execute(tx)
  })
}
