import { createPostgresBackend, Queue, Worker } from 'bullmq'
import type { Logger } from 'pino'
import { describeFault } from '../faults.ts'
import type { Job } from './services.ts'

const QUEUE = 'jobs'
const POOL_SIZE = 2
// A wake-up that was lost with its worker comes again by the schedule; nothing waits for the lost one.
const STALLED_INTERVAL_MS = 5_000
const RETRY_MS = 1_000

/** The schedule in the queue, shared by all workers: each wake-up reaches one of them. */
export interface Wakeups {
  close: () => Promise<void>
}

/** Puts every job's schedule into the queue, and calls `wake` with a job's name whenever it is this worker's turn. */
export async function openWakeups(
  databaseUrl: string,
  jobs: readonly Job[],
  wake: (name: string) => Promise<void>,
  log: Logger,
): Promise<Wakeups> {
  const connection = { connectionString: databaseUrl, max: POOL_SIZE }
  const onError = (error: Error) => log.warn({ fault: describeFault(error) }, 'the queue lost its database')
  const queue = new Queue(QUEUE, { connection }, createPostgresBackend)
  queue.on('error', onError)
  for (const { name, everyMs } of jobs) {
    const kept = { removeOnComplete: true, removeOnFail: true }
    await queue.upsertJobScheduler(name, { every: everyMs }, { name, opts: kept })
  }
  const timing = { stalledInterval: STALLED_INTERVAL_MS, runRetryDelay: RETRY_MS }
  const options = { connection, concurrency: jobs.length, ...timing }
  const worker = new Worker(QUEUE, (job) => wake(job.name), options, createPostgresBackend)
  worker.on('error', onError)
  return {
    close: async () => {
      await worker.close()
      await queue.close()
    },
  }
}
