import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, rename, stat, truncate } from 'node:fs/promises'
import { dirname } from 'node:path'
import { blobPath, partialPath, syncDirectory } from './store.ts'

/** Values that arrive in several parts, each under the UUID of the blob that it becomes. One writer at a time. */
export interface PartialBlobs {
  /** How many bytes of it are stored. What died processes and lost connections left counts. */
  sizeOf: (id: string) => Promise<number>
  /**
   * Stores bytes as they arrive, from an offset on, and returns how many there are then. When it throws, what arrived
   * before is stored.
   */
  append: (id: string, offset: number, bytes: AsyncIterable<Uint8Array>) => Promise<number>
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
      const file = await open(partial(id), constants.O_WRONLY | constants.O_CREAT, 0o600)
      try {
        let place = offset
        // Each at its place, not at the end: a writer that should have stopped then repeats bytes, and adds none.
        for await (const chunk of bytes) place += await writeAt(file, chunk, place)
        return (await file.stat()).size
      } finally {
        await file.close()
      }
    },
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

async function writeAt(file: FileHandle, chunk: Uint8Array, place: number): Promise<number> {
  let written = 0
  while (written < chunk.byteLength) {
    const { bytesWritten } = await file.write(chunk, written, chunk.byteLength - written, place + written)
    written += bytesWritten
  }
  return written
}

async function sizeAt(path: string): Promise<number | undefined> {
  return stat(path).then(
    ({ size }) => size,
    () => undefined,
  )
}
