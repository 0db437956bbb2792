import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const INCOMING = 'incoming'
const PARTIAL = 'partial'
const PARTIAL_KEY = /^partial\/([^/]+)\//
const SHARD_DIGITS = 2

/** A range of a blob's bytes: the first and the last, counted from 0. */
export interface ByteRange {
  first: number
  last: number
}

/** A store for large values, each under a UUID that we chose: user input is never part of a path. */
export interface BlobStore {
  /**
   * Stores bytes as they arrive. When it resolves they are durable; when it throws, nothing is left of them.
   */
  write: (id: string, bytes: AsyncIterable<Uint8Array>) => Promise<void>
  /**
   * Returns the bytes stored under an id, or some of them; undefined if there are none. The stream reads them
   * on demand, and must be read to its end or cancelled.
   */
  read: (id: string, range?: ByteRange) => Promise<ReadableStream<Uint8Array> | undefined>
  /** How many bytes are stored under an id; undefined if there are none. */
  sizeOf: (id: string) => Promise<number | undefined>
  /** Removes a blob, including one that arrives in parts and is incomplete. */
  remove: (id: string) => Promise<void>
  /**
   * Yields in batches the ids of blobs stored before a time, complete or not. Removes files that a dead
   * process left half-written.
   */
  keptBefore: (time: Date) => AsyncGenerator<string[]>
}

/** A store of files, which makes a blob of a file without a copy. */
export interface FileStore extends BlobStore {
  /**
   * Makes a blob of a file of ours, and removes the file. When it resolves the bytes are durable. Harmless to
   * repeat.
   */
  adopt: (id: string, path: string) => Promise<void>
}

/** Returns a store that keeps blobs as files below a directory that every process of the service shares. */
export function fileBlobs(directory: string): FileStore {
  const incoming = join(directory, INCOMING)
  const pathOf = (id: string) => join(directory, blobKey(id))
  return {
    write: async (id, bytes) => {
      const path = pathOf(id)
      const temporary = join(incoming, id)
      await Promise.all([mkdir(incoming, { recursive: true }), mkdir(dirname(path), { recursive: true })])
      try {
        await writeDurably(temporary, bytes)
        await rename(temporary, path)
        await syncDirectory(dirname(path))
      } catch (error) {
        await rm(temporary, { force: true })
        throw error
      }
    },
    read: async (id, range) => {
      const path = pathOf(id)
      if ((await fileSize(path)) === undefined) return undefined
      const part = range ? { start: range.first, end: range.last } : {}
      return Readable.toWeb(createReadStream(path, part)) as ReadableStream<Uint8Array>
    },
    adopt: async (id, path) => {
      await mkdir(dirname(pathOf(id)), { recursive: true })
      const file = await open(path, 'r+')
      await file.sync().finally(() => file.close())
      await rename(path, pathOf(id))
      await syncDirectory(dirname(pathOf(id)))
    },
    sizeOf: (id) => fileSize(pathOf(id)),
    remove: async (id) => {
      await rm(partialPath(directory, id), { force: true })
      await rm(pathOf(id), { force: true })
    },
    keptBefore: async function* (time) {
      for (const name of await namesBefore(incoming, time)) await rm(join(incoming, name), { force: true })
      for (const shard of await readdir(directory).catch(() => [])) {
        if (shard !== INCOMING)
          yield (await namesBefore(join(directory, shard), time)).filter((name) => UUID.test(name))
      }
    },
  }
}

/** Returns the path of a blob in its store. */
export function blobKey(id: string): string {
  return `${requireUuid(id).slice(-SHARD_DIGITS)}/${id}`
}

/**
 * Returns the id of the blob with this path in its store, also while it arrives in parts, as a list; an empty
 * list if the path is not one of a blob of ours.
 */
export function idOfKey(key = ''): string[] {
  const id = key.slice(SHARD_DIGITS + 1)
  const [, partial = ''] = PARTIAL_KEY.exec(key) ?? []
  if (UUID.test(partial)) return [partial]
  return UUID.test(id) && blobKey(id) === key ? [id] : []
}

/** Returns the path of a blob while it arrives in parts. */
export function partialPath(directory: string, id: string): string {
  return join(directory, partialKey(id))
}

/** Returns the path in a store below which a blob is while it arrives in parts. */
export function partialKey(id: string): string {
  return `${PARTIAL}/${requireUuid(id)}`
}

function requireUuid(id: string): string {
  if (UUID.test(id)) return id
  throw new Error('a blob is kept under a UUID of ours')
}

async function writeDurably(path: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Makes a rename durable, which it is only after its directory is synced. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}

/** Returns the size of a file, or undefined if there is none. */
export async function fileSize(path: string): Promise<number | undefined> {
  return stat(path).then(
    (entry) => (entry.isFile() ? entry.size : undefined),
    () => undefined,
  )
}

async function namesBefore(directory: string, time: Date): Promise<string[]> {
  const names = await readdir(directory).catch(() => [])
  const old: string[] = []
  for (const name of names) {
    const entry = await stat(join(directory, name)).catch(() => undefined)
    if (entry?.isFile() && entry.mtime < time) old.push(name)
  }
  return old
}

/**
 * Lets a program read a blob, or its first bytes, as a temporary file. Returns what `use` returns; undefined
 * if there is no such blob. One caller at a time for each id.
 */
export async function withCopy<Result>(
  blobs: BlobStore,
  { id, maxBytes }: { id: string; maxBytes: number },
  use: (path: string) => Promise<Result>,
): Promise<Result | undefined> {
  const directory = join(tmpdir(), `market-copy-${id}`)
  // Removes the file of an attempt that did not finish.
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
