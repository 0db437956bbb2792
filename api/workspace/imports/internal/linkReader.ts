import { setTimeout } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { FoundLink } from './markdown.ts'

const TIMEOUT_MS = 30_000
const HEAP_MEGABYTES = 512
// The characters that every link begins with. A text without them is not parsed.
const LINK = /\[|<(?:img|a|video|audio)\s/i

/**
 * Finds the links of Markdown texts in a thread of its own, because a text that was written to take long
 * would block the worker's other jobs.
 */
export class LinkReader {
  readonly #timeoutMs: number
  #thread: Worker | undefined

  /** @param timeoutMs How long one text may take. */
  constructor(timeoutMs = TIMEOUT_MS) {
    this.#timeoutMs = timeoutMs
  }

  /**
   * Returns the links of a text, or undefined if it takes too long or too much memory. Call with one text at
   * a time.
   */
  async read(text: string): Promise<FoundLink[] | undefined> {
    if (!LINK.test(text)) return []
    this.#thread ??= new Worker(new URL('./linkThread.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MEGABYTES },
    })
    const thread = this.#thread
    const { promise, resolve } = Promise.withResolvers<FoundLink[] | undefined>()
    const done = new AbortController()
    const fail = () => resolve(undefined)
    thread.once('message', resolve).once('error', fail).once('exit', fail)
    thread.postMessage(text)
    const late = setTimeout(this.#timeoutMs, undefined, { signal: done.signal }).catch(() => undefined)
    const links = await Promise.race([promise, late])
    done.abort()
    thread.off('message', resolve).off('exit', fail)
    if (links !== undefined) thread.off('error', fail)
    if (links === undefined) await this.end()
    return links
  }

  /** Ends the thread. */
  async end(): Promise<void> {
    const thread = this.#thread
    this.#thread = undefined
    await thread?.terminate()
  }
}
