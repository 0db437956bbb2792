import { glob, mkdir, rm, writeFile } from 'node:fs/promises'
import { delimiter, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { MutantResult, PartialStrykerOptions } from '@stryker-mutator/api/core'
import { Stryker } from '@stryker-mutator/core'
import { machineEnvironment, setForChildren } from '../../../../../machine/env.ts'
import { ROOT, STATE_DIR } from '../../../../../machine/paths.ts'
import { SAMPLE, SURVIVORS, WORDS } from './plugins.ts'
import type { Room } from './rooms.ts'

const PLUGINS = fileURLToPath(new URL('plugins.ts', import.meta.url))
const WORKERS = 2

/** What is mutated of a room. */
export interface Selection {
  /** Files of the room, or none for all of it. */
  files: readonly string[]
  every: number
}

/**
 * Puts mistakes into a copy of the sources of a room, one at a time, and runs the room's tests on each.
 * Stryker finds by coverage which of them to run. Returns what became of each mistake; those outside the
 * sample have the reason LEFT_OUT. Throws an Error where the tests fail without a mistake.
 */
export async function judgeRoom(name: string, room: Room, { files, every }: Selection): Promise<MutantResult[]> {
  const folder = `${STATE_DIR}mutation/${process.pid}-${name}`
  await rm(folder, { recursive: true, force: true })
  await mkdir(`${folder}/tests`, { recursive: true })
  // The runner starts "node", which must be this one.
  setForChildren({ PATH: `${dirname(process.execPath)}${delimiter}${machineEnvironment().PATH ?? ''}` })
  try {
    await writeProcesses(room, `${folder}/tests`)
    return await new Stryker({ ...optionsIn(folder), ...selectionIn(room, files, every) }).runMutationTest()
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function selectionIn(room: Room, files: readonly string[], every: number): PartialStrykerOptions {
  return { mutate: [...(files.length > 0 ? files : room.sources)], sampleEvery: every }
}

function optionsIn(folder: string): PartialStrykerOptions {
  return {
    plugins: [import.meta.resolve('@stryker-mutator/tap-runner'), PLUGINS],
    testRunner: 'tap',
    tap: { testFiles: [`${folder}/tests/*.test.ts`], nodeArgs: ['--test-reporter=tap'], forceBail: true },
    checkers: [SAMPLE],
    ignorers: [WORDS],
    coverageAnalysis: 'perTest',
    concurrency: WORKERS,
    tempDirName: `${folder}/copy`,
    ignorePatterns: ['.market', 'cache', 'coverage', '.ponder', 'ignition/deployments'],
    reporters: ['progress-append-only', SURVIVORS],
    allowConsoleColors: false,
    dryRunTimeoutMinutes: 60,
    // A machine that does other work is slow; what hangs is found all the same.
    timeoutMS: 60_000,
    timeoutFactor: 4,
    // It warns of every file of tests outside the copy.
    logLevel: 'error',
  } as PartialStrykerOptions
}

/** Writes files that import the tests out of the copy, which is the working directory of a test process. */
async function writeProcesses({ tests, filesAProcess }: Room, folder: string): Promise<void> {
  const found = await Array.fromAsync(
    glob(
      tests.map((path) => (path.endsWith('/') ? `${path}**/*.test.ts` : path)),
      { cwd: ROOT },
    ),
  )
  const files = found.sort()
  for (let index = 0; index < files.length; index += filesAProcess) {
    const group = JSON.stringify(files.slice(index, index + filesAProcess))
    const text = `import { pathToFileURL } from 'node:url'
for (const file of ${group}) await import(pathToFileURL(file).href)
`
    await writeFile(`${folder}/${String(index).padStart(3, '0')}.test.ts`, text)
  }
}
