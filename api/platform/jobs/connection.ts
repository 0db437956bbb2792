import { createPostgresBackend, type Processor, Queue, Worker, type WorkerOptions } from 'bullmq'

const QUEUE = 'jobs'
const POOL_SIZE = 1

/** Where the queue is: in PostgreSQL, as a URL whose sessions are not shared, or in Redis. */
export type QueuePlace = { databaseUrl: string } | { redisUrl: string }

/** Names a job in the queue. It has no data: what is to be done stands in our tables. */
type Processing = Processor<unknown, void, string>
type Timing = Omit<WorkerOptions<unknown>, 'connection' | 'telemetry'>

/** What `JobQueue` uses of BullMQ's `Queue`, which is the same in either place. */
export type Jobs = Pick<Queue, 'addBulk' | 'close' | 'getJobSchedulersCount' | 'upsertJobScheduler' | 'waitUntilReady'>

/** What `JobQueue` uses of BullMQ's `Worker`. */
export type JobTaker = Pick<Worker, 'close' | 'waitUntilReady'>

/** Opens the queue. `onError` hears of what goes wrong in its connection. */
export function openJobs(place: QueuePlace, onError: (error: Error) => void): Jobs {
  if ('redisUrl' in place) return new Queue(QUEUE, { connection: { url: place.redisUrl } }).on('error', onError)
  const connection = { connectionString: place.databaseUrl, max: POOL_SIZE }
  return new Queue(QUEUE, { connection }, createPostgresBackend).on('error', onError)
}

/** Opens what takes jobs out of the queue and processes them. */
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
