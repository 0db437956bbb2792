import { createWriteStream } from 'node:fs'
import { mkdir, open, stat, truncate } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type FileStore, fileSize, partialPath } from '../store.ts'

/** Bytes of a value that arrives in several parts. */
export interface Part {
  /** How many bytes have arrived before. */
  offset: number
  /** How many bytes the whole value has. */
  lengthBytes: number
  /**
   * Whether they count together or not at all. A store that cannot have that leaves it to its caller to cut
   * them off.
   */
  isWhole: boolean
  /** Called before bytes count. What it throws ends the writing, and those bytes do not count. */
  confirm: () => void
}

/**
 * Values that arrive in several parts, each under the UUID of the blob that it becomes. One writer at a time.
 */
export interface PartialBlobs {
  /** How many of its bytes are stored, including those that dead processes and lost connections left. */
  sizeOf: (id: string) => Promise<number>
  /**
   * Stores bytes as they arrive, and returns how many there are then. When it throws, writing has stopped,
   * and nearly all bytes that arrived before are stored.
   */
  append: (id: string, part: Part, bytes: AsyncIterable<Uint8Array>) => Promise<number>
  /** Removes the bytes beyond a size. */
  cut: (id: string, sizeBytes: number) => Promise<void>
  /** Turns it into a blob of the store. When it resolves the bytes are durable. Harmless to repeat. */
  complete: (id: string) => Promise<void>
}

/**
 * Returns the unfinished values of a store of files. They are files below a directory that every process of
 * the service shares.
 */
export function partialBlobs(directory: string, store: FileStore): PartialBlobs {
  const partial = (id: string) => partialPath(directory, id)
  return {
    sizeOf: async (id) => (await fileSize(partial(id))) ?? (await store.sizeOf(id)) ?? 0,
    append: async (id, { offset, confirm }, bytes) => {
      await create(partial(id))
      // Each byte is written at its own position, not at the end: a writer that should have stopped repeats
      // bytes, but adds none.
      await pipeline(bytes, createWriteStream(partial(id), { flags: 'r+', start: offset }))
      confirm()
      return (await stat(partial(id))).size
    },
    cut: async (id, sizeBytes) => {
      if ((await fileSize(partial(id))) !== undefined) await truncate(partial(id), sizeBytes)
    },
    complete: async (id) => {
      if ((await fileSize(partial(id))) === undefined) {
        if ((await store.sizeOf(id)) !== undefined) return
        await create(partial(id))
      }
      await store.adopt(id, partial(id))
    },
  }
}

async function create(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await (await open(path, 'a', 0o600)).close()
}
