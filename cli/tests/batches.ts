import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT, STATE_DIR } from '../paths.ts'

// Where the tests of a file start what takes longer than to start a process, or end processes, or this one.
const ALONE = /^test\/(e2e|faults|chain|indexer|cli|contracts)\//
// Enough that starting a process no longer shows, few enough that the last one leaves no core idle for long.
const FILES_PER_BATCH = 8

/**
 * Writes modules that each read several test files: a process that runs one loads what these share once, where one a file
 * would load it anew. Answers what to run in place of the files, in their order.
 */
export async function writeBatches(
  files: readonly string[],
): Promise<{ paths: string[]; remove: () => Promise<void> }> {
  const dir = join(STATE_DIR, `tests-${process.pid}`)
  await mkdir(dir, { recursive: true })
  const together = files.filter((file) => !ALONE.test(file))
  const count = Math.ceil(together.length / FILES_PER_BATCH)
  // Dealt out like cards: neighbours, which are alike, come to different batches.
  const batches = Array.from({ length: count }, (_, batch) =>
    together.filter((_file, place) => place % count === batch),
  )
  const modules = await Promise.all(
    batches.map(async (batch, index) => {
      const path = join(dir, `batch-${index + 1}.mjs`)
      await writeFile(path, source(batch))
      return path
    }),
  )
  return {
    paths: [...files.filter((file) => ALONE.test(file)).map((file) => ROOT + file), ...modules],
    remove: () => rm(dir, { recursive: true, force: true }),
  }
}

/** A file that cannot be read is a failed test, and those after it are run. */
function source(files: readonly string[]): string {
  const urls = files.map((file) => pathToFileURL(ROOT + file).href)
  return `import { test } from 'node:test'
for (const file of ${JSON.stringify(urls)}) {
  await import(file).catch((error) => test(file, () => { throw error }))
}
`
}
