import { Readable } from 'node:stream'
import { RandomAccessReader } from 'yauzl'

// The entries of a directory and the headers of small files are close together.
const WINDOW_BYTES = 65_536

/** An archive that we refuse to read. The message is for its sender. */
export class ArchiveRefused extends Error {}

/** A zip archive: its length, and a range of its bytes, both ends included. */
export interface Archive {
  sizeBytes: number
  read: (first: number, last: number) => AsyncIterable<Uint8Array>
}

/** Reads an archive for yauzl. Small reads are served from a window that is read at once. */
export class ArchiveReader extends RandomAccessReader {
  readonly #archive: Archive
  #window = { at: 0, bytes: Buffer.alloc(0) }
  #failure: unknown

  constructor(archive: Archive) {
    super()
    this.#archive = archive
  }

  /**
   * Returns the error to throw for an error of yauzl: the failure to read the archive if there was one, else
   * the refusal.
   */
  reasonOf(error: unknown, refusal = new ArchiveRefused('The archive is damaged.')): unknown {
    return this.#failure ?? (error instanceof ArchiveRefused ? error : refusal)
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    this.#part(position, length).then(
      (part) => {
        part.copy(buffer, offset)
        callback(null)
      },
      (error) => callback(error),
    )
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#bytes(start, end))
  }

  async #part(at: number, length: number): Promise<Buffer> {
    const { sizeBytes } = this.#archive
    if (at < 0 || at + length > sizeBytes) throw new ArchiveRefused('The archive is damaged.')
    if (at < this.#window.at || at + length > this.#window.at + this.#window.bytes.length) {
      const chunks: Uint8Array[] = []
      const end = Math.min(sizeBytes, at + Math.max(length, WINDOW_BYTES))
      for await (const chunk of this.#bytes(at, end)) chunks.push(chunk)
      this.#window = { at, bytes: Buffer.concat(chunks) }
    }
    const from = at - this.#window.at
    return this.#window.bytes.subarray(from, from + length)
  }

  async *#bytes(start: number, end: number): AsyncGenerator<Uint8Array> {
    try {
      yield* this.#archive.read(start, end - 1)
    } catch (error) {
      this.#failure = error
      throw error
    }
  }
}
