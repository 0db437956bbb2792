import { Worker } from 'node:worker_threads'
import type { Claim } from './claims.ts'
import type { ClaimTree } from './tree.ts'

/** Claims to add, or the word to build the tree of all that were. */
export type ToThread = readonly Claim[] | 'build'

/** A thread that gathers claims into a tree: to hash a million takes seconds, in which a worker's other jobs go on. */
export class TreeThread {
  readonly #thread = new Worker(new URL('./treeThread.ts', import.meta.url))
  readonly #built: Promise<ClaimTree>

  constructor() {
    const { promise, resolve, reject } = Promise.withResolvers<ClaimTree>()
    this.#thread.once('message', resolve)
    this.#thread.once('error', reject)
    this.#thread.once('exit', () => reject(new Error('the thread ended without a tree')))
    // It may fail before anybody asks.
    promise.catch(() => {})
    this.#built = promise
  }

  /** Adds claims. */
  add(claims: readonly Claim[]): void {
    this.#tell(claims)
  }

  /** The tree over all that was added. Throws a RangeError for an amount that is none, or when it sums to more than a BIGINT holds. */
  build(): Promise<ClaimTree> {
    this.#tell('build')
    return this.#built
  }

  /** Ends the thread, whatever it is at. */
  async end(): Promise<void> {
    await this.#thread.terminate()
  }

  #tell(message: ToThread): void {
    this.#thread.postMessage(message)
  }
}
