import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT, STATE_DIR } from '../paths.ts'
import { isLongest } from './tiers.ts'

// Loading the service takes a process about a second, which is longer than most of its files run.
const FILES_A_PROCESS = 12
/** Their tests start what they need and stop it, and change nothing of the process that they run in. */
const SHARING = ['test/api/', 'test/protocol/', 'test/audit/', 'test/sdk/', 'test/facilitator/']

/**
 * Returns one path for each process that runs tests. Files that may share a process are imported, a few at a time, by a
 * file written for it; every other file is a process of its own. Those that take longest come first, and short ones last.
 */
export async function processFiles(files: readonly string[]): Promise<string[]> {
  // Removed with the logs of earlier runs.
  const dir = join(STATE_DIR, `logs/test/files-${process.pid}`)
  await rm(dir, { recursive: true, force: true })
  await mkdir(dir, { recursive: true })
  const { sharing = [], alone = [] } = Object.groupBy(files, (file) =>
    SHARING.some((folder) => file.startsWith(folder)) ? 'sharing' : 'alone',
  )
  const shared: string[] = []
  for (let first = 0; first < sharing.length; first += FILES_A_PROCESS) {
    const path = join(dir, `${shared.length + 1}.test.ts`)
    const imports = sharing
      .slice(first, first + FILES_A_PROCESS)
      .map((file) => `import '${pathToFileURL(ROOT + file)}'\n`)
    await writeFile(path, imports.join(''))
    shared.push(path)
  }
  const processes = alone.map((file) => ROOT + file)
  const longest = alone.filter(isLongest).length
  return [...processes.slice(0, longest), ...shared, ...processes.slice(longest)]
}
