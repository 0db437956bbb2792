import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Settings } from '../../context.ts'
import { Problem } from '../../errors.ts'
import { httpProblems } from '../http/serve/problems.ts'
import { findBubblewrap, type Limits, Refused, runIsolated } from '../isolation/isolate.ts'
import { nodeChild } from '../isolation/nodeChild.ts'

const LIMITS: Limits = { timeoutMs: 10_000, memoryBytes: 700_000_000, outputBytes: 65_536, overflow: 'refuse' }
const SQUARE = nodeChild({
  script: join(import.meta.dirname, 'internal/squareChild.ts'),
  code: [import.meta.dirname],
  args: [],
})
const MAX_WAITING = 20
const RETRY_SECONDS = 5

// A picture takes a core for as long as it is read, so one is read after another.
let former: Promise<unknown> = Promise.resolve()
let waiting = 0

/**
 * Returns a picture that somebody sends as a square of 192 pixels, in WebP, of at most 64 kB: read in an
 * isolated child, and written anew, with nothing but its pixels. Returns undefined for bytes that are no PNG,
 * JPEG, WebP, GIF, TIFF or AVIF, or that take more than the child may. Throws what reading the bytes throws,
 * and 503 while many pictures wait.
 */
export async function squarePicture(
  { bubblewrap }: Pick<Settings, 'bubblewrap'>,
  bytes: AsyncIterable<Uint8Array>,
): Promise<Buffer | undefined> {
  const directory = join(tmpdir(), `market-picture-${randomUUID()}`)
  await mkdir(directory, { mode: 0o700 })
  try {
    const path = join(directory, 'file')
    await pipeline(bytes, createWriteStream(path))
    return await inTurn(async () => (await runIsolated(await findBubblewrap(bubblewrap), SQUARE, path, LIMITS)).bytes)
  } catch (error) {
    if (error instanceof Refused) return undefined
    throw error
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

async function inTurn<Result>(run: () => Promise<Result>): Promise<Result> {
  if (waiting >= MAX_WAITING) {
    const detail = 'Many pictures are being read. Send yours again soon.'
    throw new Problem(httpProblems.unavailable, { detail, retryAfterSeconds: RETRY_SECONDS })
  }
  waiting += 1
  const mine = former.then(run).finally(() => {
    waiting -= 1
  })
  former = mine.catch(() => {})
  return mine
}
