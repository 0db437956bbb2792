import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { setForChildren } from '../env.ts'
import { ROOT } from '../paths.ts'
import { processFiles } from './processFiles.ts'
import type { Totals } from './totals.ts'

const LIMITED = ['--import', new URL('limit.ts', import.meta.url).href]

/**
 * Runs test files and prints the results. A process that crashes and a file that has no test are each a failed test. So
 * is a process that takes fifteen minutes, where `isLimited`.
 */
export async function runNodeTests(
  files: readonly string[],
  {
    environment,
    isLimited,
    concurrency,
  }: { environment: Record<string, string>; isLimited: boolean; concurrency: number },
): Promise<Totals> {
  setForChildren(environment)
  const processes = await processFiles(files)
  const execArgv = isLimited ? LIMITED : []
  const stream = run({ cwd: ROOT, files: processes, concurrency, execArgv })
  const withTests = new Set<string | undefined>()
  let emptyProcesses = 0
  let totals: Totals | undefined
  stream.on('test:pass', ({ name, file }) => {
    // The runner counts a process that succeeds without a test as a passed test with the name of its file.
    if (processes.includes(name)) emptyProcesses++
    else withTests.add(file)
  })
  stream.on('test:fail', ({ file }) => withTests.add(file))
  stream.on('test:summary', ({ file, counts }) => {
    // There is one event per process, and one without a file for all of them.
    if (file !== undefined) return
    const skipped = counts.skipped + counts.todo
    totals = { passed: counts.passed, failed: counts.tests - counts.passed - skipped, skipped }
  })
  for await (const text of stream.compose(spec)) process.stdout.write(text)
  if (!totals) throw new Error('The test runner ended without a summary.')
  const empty = files.filter((file) => !withTests.has(ROOT + file))
  for (const file of empty) console.log(`✖ ${file} has no test`)
  return { ...totals, passed: totals.passed - emptyProcesses, failed: totals.failed + empty.length }
}
