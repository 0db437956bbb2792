import { Worker } from 'node:worker_threads'
import type { Claim } from './claims.ts'
import type { ClaimTree } from './tree.ts'

/** Claims to add, or the command to build the tree of all added claims. */
export type ToThread = readonly Claim[] | 'build'

/**
 * A thread that builds a tree of claims: hashing a million takes seconds, during which the worker's other jobs
 * continue.
 */
export class TreeThread {
  readonly #thread = new Worker(new URL('./treeThread.ts', import.meta.url))
  readonly #built: Promise<ClaimTree>

  constructor() {
    const { promise, resolve, reject } = Promise.withResolvers<ClaimTree>()
    this.#thread.once('message', resolve)
    this.#thread.once('error', reject)
    this.#thread.once('exit', () => reject(new Error('the thread ended without a tree')))
    // The promise may reject before a caller awaits it.
    promise.catch(() => {})
    this.#built = promise
  }

  /** Adds claims. */
  add(claims: readonly Claim[]): void {
    this.#tell(claims)
  }

  /**
   * Returns the tree over all added claims. Throws a RangeError for an invalid amount, or for a sum above the range of
   * BIGINT.
   */
  build(): Promise<ClaimTree> {
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
