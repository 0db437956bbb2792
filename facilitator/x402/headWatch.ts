import { setTimeout as delay } from 'node:timers/promises'
import type { ChainContext } from '../context.ts'
import { type Head, readHead } from '../head.ts'

/** Follows the chain's head for however many ask: the node is asked once for all who wait. */
export class HeadWatch {
  readonly #chain: Pick<ChainContext, 'client' | 'at' | 'confirmations'>
  readonly #pollIntervalMs: number
  readonly #stop: AbortSignal
  #known: Head | undefined
  #reading: Promise<Head> | undefined
  #polling: Promise<Head> | undefined

  constructor(
    chain: Pick<ChainContext, 'client' | 'at' | 'confirmations'>,
    options: { pollIntervalMs: number; stop: AbortSignal },
  ) {
    this.#chain = chain
    this.#pollIntervalMs = options.pollIntervalMs
    this.#stop = options.stop
  }

  /** The head now; the same object as long as it is the same. Throws what readHead throws. */
  read(): Promise<Head> {
    this.#reading ??= readHead(this.#chain, this.#known)
      .then((head) => (this.#known = head))
      .finally(() => (this.#reading = undefined))
    return this.#reading
  }

  /** The next other head. Undefined when none came before `deadlineMs` by the process's clock, or at the end of it all. */
  async after(head: Head, deadlineMs: number): Promise<Head | undefined> {
    while (!this.#stop.aborted && performance.now() < deadlineMs) {
      const next = await this.#poll()
      if (next !== head) return next
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
