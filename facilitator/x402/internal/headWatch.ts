import { setTimeout as delay } from 'node:timers/promises'
import { type Head, type HeadSource, readHead } from '../../chain/head.ts'

/** Follows the chain's head for any number of callers: the node is queried once for all of them. */
export class HeadWatch {
  readonly #chain: HeadSource
  readonly #pollIntervalMs: number
  readonly #stop: AbortSignal
  #known: Head | undefined
  #reading: Promise<Head> | undefined
  #polling: Promise<Head> | undefined

  constructor(chain: HeadSource, options: { pollIntervalMs: number; stop: AbortSignal }) {
    this.#chain = chain
    this.#pollIntervalMs = options.pollIntervalMs
    this.#stop = options.stop
  }

  /** Returns the present head. Throws as readHead. */
  read(): Promise<Head> {
    this.#reading ??= readHead(this.#chain, this.#known)
      .then((head) => (this.#known = head))
      .finally(() => (this.#reading = undefined))
    return this.#reading
  }

  /**
   * Returns the head of the next block. Undefined if none came before `deadlineMs` by the process's clock, or
   * on shutdown.
   */
  async after(head: Head, deadlineMs: number): Promise<Head | undefined> {
    while (!this.#stop.aborted && performance.now() < deadlineMs) {
      const next = await this.#poll()
      if (next.latest.hash !== head.latest.hash) return next
    }
    return undefined
  }

  #poll(): Promise<Head> {
    this.#polling ??= delay(this.#pollIntervalMs, undefined, { signal: this.#stop })
      .catch(() => {})
      .then(() => this.read())
      .finally(() => (this.#polling = undefined))
    return this.#polling
  }
}
