import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createPostgresBackend, Queue } from 'bullmq'
import { BARE_QUEUE, type BareJob } from './bareWorker.ts'

const WORKER = fileURLToPath(new URL('bareWorker.ts', import.meta.url))
const MS_PER_SECOND = 1_000
const POLL_MS = 100

/** A process that does nothing but take jobs from a queue and send what they say. */
export interface BareSender {
  pid: number
  /** Adds jobs in an open loop, and resolves when all are sent. */
  send: (jobs: readonly BareJob[], rate: number) => Promise<void>
  stop: () => Promise<void>
}

/** Starts a sender on BullMQ's queue in Postgres, as its documentation shows it. */
export async function startBareSender(connectionString: string): Promise<BareSender> {
  // A group of its own: its CPU time is read by group.
  const child = fork(WORKER, [connectionString], { detached: true })
  await once(child, 'message')
  const queue = new Queue(BARE_QUEUE, { connection: { connectionString, max: 4 } }, createPostgresBackend)
  return {
    pid: child.pid ?? 0,
    send: async (jobs, rate) => {
      const startedMs = performance.now()
      const adding = []
      for (const [at, job] of jobs.entries()) {
        const dueMs = startedMs + (at * MS_PER_SECOND) / rate
        if (dueMs > performance.now()) await delay(dueMs - performance.now())
        adding.push(queue.add('send', job, { removeOnComplete: true, removeOnFail: true }))
      }
      await Promise.all(adding)
      while ((await queue.getJobCountByTypes('waiting', 'active')) > 0) await delay(POLL_MS)
    },
    stop: async () => {
      await queue.close()
      child.kill()
      await once(child, 'exit')
    },
  }
}
