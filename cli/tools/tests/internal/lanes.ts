import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT, STATE_DIR } from '../../../machine/paths.ts'

/**
 * Files of tests that run beside those of the other lanes. A file belongs to the first lane that has its
 * folder.
 */
interface Lane {
  folders: readonly string[]
  /** How many of its processes run at once. */
  concurrency: number
  /**
   * How many files share a process. Loading the service takes a second of a core, which is longer than most
   * files run. Files may share one where they stop what they start and leave the process as it was.
   */
  filesAProcess: number
}

/** Tests that wait for blocks and for other processes keep no core busy, so the busy ones run beside them. */
const LANES: readonly Lane[] = [
  { folders: ['test/system/walks/'], concurrency: 1, filesAProcess: 2 },
  // A stack of processes keeps more than one core busy.
  { folders: ['test/system/'], concurrency: 3, filesAProcess: 1 },
  { folders: ['test/e2e/'], concurrency: 1, filesAProcess: 1 },
  { folders: ['test/facilitator/', 'test/indexer/', 'test/cli/', 'test/ignition/'], concurrency: 2, filesAProcess: 5 },
  // It makes its process a browser's page.
  { folders: ['test/console/signing.test.ts'], concurrency: 1, filesAProcess: 1 },
  { folders: ['test/'], concurrency: 2, filesAProcess: 28 },
]

/** The processes of a lane, each a path of a file that Node runs. */
export interface LaneOfProcesses {
  processes: readonly string[]
  concurrency: number
}

/** Returns the lanes that have files, with a process for each file or a few of them. */
export async function lanesOf(files: readonly string[]): Promise<LaneOfProcesses[]> {
  // Removed with the logs of earlier runs.
  const dir = join(STATE_DIR, `logs/test/files-${process.pid}`)
  await rm(dir, { recursive: true, force: true })
  await mkdir(dir, { recursive: true })
  const byLane = Map.groupBy(files, laneOf)
  return Promise.all(
    LANES.flatMap((lane, index) => {
      const own = byLane.get(lane)
      return own ? [processesOf(own, lane, join(dir, String(index)))] : []
    }),
  )
}

function laneOf(file: string): Lane | undefined {
  return LANES.find(({ folders }) => folders.some((folder) => file.startsWith(folder)))
}

async function processesOf(files: readonly string[], lane: Lane, prefix: string): Promise<LaneOfProcesses> {
  const { filesAProcess, concurrency } = lane
  const groups = Array.from({ length: Math.ceil(files.length / filesAProcess) }, (_, index) =>
    files.slice(index * filesAProcess, (index + 1) * filesAProcess),
  )
  const processes = await Promise.all(
    groups.map((group, index) =>
      group.length === 1 ? ROOT + group[0] : importing(group, `${prefix}-${index + 1}.test.ts`),
    ),
  )
  return { processes, concurrency }
}

/** Writes a file that imports others, and returns its path. */
async function importing(files: readonly string[], path: string): Promise<string> {
  await writeFile(path, files.map((file) => `import '${pathToFileURL(ROOT + file)}'\n`).join(''))
  return path
}
