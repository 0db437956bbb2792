import { createPostgresBackend, type IQueueBackend, type Processor, Queue, Worker, type WorkerOptions } from 'bullmq'

const QUEUE = 'jobs'
const POOL_SIZE = 1

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
