import type { Logger } from 'pino'
import type { PublicClient } from 'viem'
import type { Settings } from '../context.ts'
import type { Db } from '../db/pool.ts'

/** What every job works with. */
export interface JobServices {
  db: Db
  rpc: PublicClient
  /** A second, independent node: where there is one, both must tell a fact before it is acted on. */
  verifyRpc?: PublicClient | undefined
  settings: Settings
  log: Logger
}

/** One thing the worker does again and again. A run that finds nothing due does nothing. */
export interface Job {
  name: string
  everyMs: number
  /** Moves money: waits after a start until what the chain has done meanwhile is known. */
  isFenced: boolean
  run: (services: JobServices) => Promise<void>
}
