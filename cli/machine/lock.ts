import { mkdir } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { STATE_DIR } from './paths.ts'

const RETRY_MS = 50
const SQLITE_BUSY = 5

/**
 * Runs `work` while no other process of this repository's folder runs any under the same name. The lock is an
 * operating system lock on a file that SQLite opens, so it ends with its process, however that ends. Rejects
 * if `signal` aborts while it waits.
 */
export async function exclusively<Result>(
  name: string,
  work: () => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  await mkdir(STATE_DIR, { recursive: true })
  const lock = new DatabaseSync(`${STATE_DIR}/${name}.lock`, { timeout: 0 })
  try {
    while (!tryLock(lock)) await delay(RETRY_MS, undefined, { signal })
    return await work()
  } finally {
    lock.close()
  }
}

function tryLock(lock: DatabaseSync): boolean {
  try {
    lock.exec('begin exclusive')
    return true
  } catch (error) {
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return false
    throw error
  }
}
