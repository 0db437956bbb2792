import { createWriteStream } from 'node:fs'
import { mkdir, open, rename, stat, truncate } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { blobPath, partialPath, syncDirectory } from './store.ts'

const PIECE_BYTES = 1_048_576
const WRITING = { flags: 'r+', highWaterMark: PIECE_BYTES }

/** Values that arrive in several parts, each under the UUID of the blob that it becomes. One writer at a time. */
export interface PartialBlobs {
  /** How many bytes of it are stored. What died processes and lost connections left counts. */
  sizeOf: (id: string) => Promise<number>
  /**
   * Stores bytes as they arrive, from an offset on, and returns how many there are then. When it throws, nothing is being
   * written any more, and nearly all that arrived before is stored.
   */
  append: (id: string, offset: number, bytes: AsyncIterable<Uint8Array>) => Promise<number>
  /** Yields the bytes of a whole one. What is yielded holds until the next is asked for. */
  read: (id: string) => AsyncIterable<Uint8Array>
  /** Forgets the bytes beyond a size. */
  cut: (id: string, sizeBytes: number) => Promise<void>
  /** Makes it a blob of the store. When it resolves the bytes are durable on disk. Harmless to repeat. */
  complete: (id: string) => Promise<void>
}

/** Returns the unfinished values of the store that `fileBlobs` keeps in the same directory. */
export function partialBlobs(directory: string): PartialBlobs {
  const partial = (id: string) => partialPath(directory, id)
  const isStored = async (path: string) => (await sizeAt(path)) !== undefined
  return {
    sizeOf: async (id) => (await sizeAt(partial(id))) ?? (await sizeAt(blobPath(directory, id))) ?? 0,
    append: async (id, offset, bytes) => {
      await mkdir(dirname(partial(id)), { recursive: true })
      await (await open(partial(id), 'a', 0o600)).close()
      // Each byte at its place, not at the end: a writer that should have stopped then repeats bytes, and adds none.
      await pipeline(bytes, createWriteStream(partial(id), { ...WRITING, start: offset }))
      return (await stat(partial(id))).size
    },
    read: (id) => piecesOf(blobPath(directory, id)),
    cut: async (id, sizeBytes) => {
      if (await isStored(partial(id))) await truncate(partial(id), sizeBytes)
    },
    complete: async (id) => {
      const path = blobPath(directory, id)
      if (await isStored(path)) return
      await Promise.all([dirname(partial(id)), dirname(path)].map((folder) => mkdir(folder, { recursive: true })))
      const file = await open(partial(id), 'a', 0o600)
      await file.sync().finally(() => file.close())
      await rename(partial(id), path)
      await syncDirectory(dirname(path))
    },
  }
}

// Into one piece of memory: a stream would take new memory for each.
async function* piecesOf(path: string): AsyncGenerator<Uint8Array> {
  const file = await open(path, 'r')
  const piece = new Uint8Array(PIECE_BYTES)
  try {
    for (;;) {
      const { bytesRead } = await file.read(piece, 0, PIECE_BYTES)
      if (bytesRead === 0) return
      yield piece.subarray(0, bytesRead)
    }
  } finally {
    await file.close()
  }
}

async function sizeAt(path: string): Promise<number | undefined> {
  return stat(path).then(
    ({ size }) => size,
    () => undefined,
  )
}
