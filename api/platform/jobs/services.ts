import type { Logger } from 'pino'
import type { PublicClient } from 'viem'
import type { Settings } from '../../context.ts'
import type { Db, IndexDb } from '../db/pool.ts'

/** The resources that every job receives. */
export interface JobServices {
  db: Db
  rpc: PublicClient
  /**
   * A second, independent node. If set, a chain event must be confirmed by both nodes before it is acted on.
   */
  verifyRpc?: PublicClient | undefined
  settings: Settings
  log: Logger
}

/**
 * The resources of a job that reads the index. Data from the index is trusted only if the nodes confirm it.
 */
export interface IndexedServices extends JobServices {
  index: IndexDb
}

/**
 * A recurring task, normally run by one worker at a time; if a worker hangs or is killed, another may run it
 * too. So each run locks the rows that it changes, and a run that finds nothing due does nothing.
 */
export interface Job {
  name: string
  /**
   * The longest time between two runs. Most runs come earlier: when a row wakes the job (schema,
   * `market.wake_jobs`), or when it is due (`dueInMs`).
   */
  everyMs: number
  /** The shortest time between two runs, for a job that rows wake more often than it needs to run. */
  pauseMs?: number
  /** The job moves money: after a start it waits until all chain events since are processed. */
  isFenced: boolean
  run: (services: JobServices) => Promise<void>
  /**
   * Called after each run. Returns when the next run is needed, if that is known. Negative: overdue, for
   * example because it cannot be done yet.
   */
  dueInMs?: (services: JobServices) => Promise<number | undefined>
}
