import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { BlobStore } from './store.ts'

/**
 * Lets a program read a blob, or its first bytes, as a file, which is removed afterwards. Returns what `use` returns; undefined if
 * there is no such blob. One caller at a time for each id.
 */
export async function withCopy<Result>(
  blobs: BlobStore,
  { id, maxBytes }: { id: string; maxBytes: number },
  use: (path: string) => Promise<Result>,
): Promise<Result | undefined> {
  const directory = join(tmpdir(), `market-copy-${id}`)
  // Of an attempt that did not end.
  await rm(directory, { recursive: true, force: true })
  await mkdir(directory, { mode: 0o700 })
  try {
    const path = join(directory, 'file')
    const bytes = await blobs.read(id, { first: 0, last: maxBytes - 1 })
    if (!bytes) return undefined
    await pipeline(bytes, createWriteStream(path))
    return await use(path)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
