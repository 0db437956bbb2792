import { type ContentReader, contentReader } from '../../attachments/content.ts'

/** Beyond so many, the one that was used longest ago is forgotten. Each has some 40 kB. */
const MAX_READINGS = 1_000

/**
 * What this process has read of the uploads that are under way, so that no byte is read a second time where
 * it took all of them. Another process knows nothing of it: there the worker reads the file once more.
 */
export class Readings {
  readonly #readers = new Map<string, { reader: ContentReader; usedMs: number }>()
  readonly #maxIdleMs: number

  constructor(maxIdleMs: number) {
    this.#maxIdleMs = maxIdleMs
  }

  /**
   * Returns what has read an upload up to an offset, and forgets it: whoever adds to it keeps it again, once
   * the bytes are stored. Undefined if this process did not read all of them.
   */
  take(id: string, offset: number): ContentReader | undefined {
    const known = this.#readers.get(id)?.reader
    this.#readers.delete(id)
    if (known?.sizeBytes() === offset) return known
    return offset === 0 ? contentReader() : undefined
  }

  /** Keeps what has read an upload, for as long as its next part is waited for. */
  keep(id: string, reader: ContentReader): void {
    const usedMs = performance.now()
    this.#readers.set(id, { reader, usedMs })
    for (const [oldest, { usedMs: lastMs }] of this.#readers) {
      if (this.#readers.size <= MAX_READINGS && usedMs - lastMs < this.#maxIdleMs) return
      this.#readers.delete(oldest)
    }
  }

  /** Forgets an upload that has ended. */
  drop(id: string): void {
    this.#readers.delete(id)
  }
}
