import { Worker } from 'node:worker_threads'
import type { Liability } from './liabilities.ts'
import type { AccountTree } from './tree.ts'

/** Liabilities to add, or the command to build the tree of all added liabilities. */
export type ToThread = readonly Liability[] | 'build'

/**
 * A thread that builds a tree of liabilities: hashing a million takes seconds, during which the worker's
 * other jobs continue.
 */
export class TreeThread {
  readonly #thread = new Worker(new URL('./treeThread.ts', import.meta.url))
  readonly #built: Promise<AccountTree>

  constructor() {
    const { promise, resolve, reject } = Promise.withResolvers<AccountTree>()
    this.#thread.once('message', resolve)
    this.#thread.once('error', reject)
    this.#thread.once('exit', () => reject(new Error('the thread ended without a tree')))
    // The promise may reject before a caller awaits it.
    promise.catch(() => {})
    this.#built = promise
  }

  /** Adds liabilities. */
  add(liabilities: readonly Liability[]): void {
    this.#tell(liabilities)
  }

  /**
   * Returns the tree over all added liabilities. Throws a RangeError for an invalid amount, or for a sum
   * above the range of BIGINT.
   */
  build(): Promise<AccountTree> {
    this.#tell('build')
    return this.#built
  }

  /** Terminates the thread immediately. */
  async end(): Promise<void> {
    await this.#thread.terminate()
  }

  #tell(message: ToThread): void {
    this.#thread.postMessage(message)
  }
}
