import { createPostgresBackend, Queue, Worker } from 'bullmq'
import type { Logger } from 'pino'
import { describeFault } from '../../faults.ts'
import type { Job } from './services.ts'

const QUEUE = 'jobs'
const POOL_SIZE = 1
// A wake-up that is lost with its worker is repeated by the schedule, so nothing waits for the lost one.
const STALLED_INTERVAL_MS = 5_000
const RETRY_MS = 1_000

/** The job schedule in the queue, shared by all workers: each wake-up reaches one of them. */
export interface Wakeups {
  close: () => Promise<void>
}

/**
 * Writes every job's schedule to the queue, and calls `wake` with a job's name whenever this worker receives its
 * wake-up.
 */
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
