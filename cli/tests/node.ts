import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { setForChildren } from '../env.ts'
import { ROOT } from '../paths.ts'
import { writeBatches } from './batches.ts'
import type { Totals } from './totals.ts'

// A whole stack keeps more than a core busy: with more processes at once each only takes longer.
const CONCURRENT_PROCESSES = 2
const LIMITED = ['--import', new URL('limit.ts', import.meta.url).href]

/**
 * Runs test files and prints how they go. A file that crashes, or holds no test, is a failed test. So is one that takes
 * ten minutes, where `isLimited`.
 */
export async function runNodeTests(
  files: readonly string[],
  { environment, isLimited }: { environment: Record<string, string>; isLimited: boolean },
): Promise<Totals> {
  setForChildren(environment)
  const batches = await writeBatches(files)
  try {
    const { totals, tested } = await runProcesses(batches.paths, isLimited ? LIMITED : [])
    const withoutTests = files.filter((file) => !tested.has(ROOT + file))
    for (const file of withoutTests) console.log(`✖ ${file} holds no test`)
    return { ...totals, failed: totals.failed + withoutTests.length }
  } finally {
    await batches.remove()
  }
}

/** Runs each path in a process of its own. Answers also the files that were found to hold tests. */
async function runProcesses(
  paths: string[],
  execArgv: string[],
): Promise<{ totals: Totals; tested: ReadonlySet<string> }> {
  const stream = run({ cwd: ROOT, files: paths, concurrency: CONCURRENT_PROCESSES, execArgv })
  const tested = new Set<string>()
  let emptyProcesses = 0
  let totals: Totals | undefined
  stream.on('test:pass', ({ name, file }) => {
    // The runner takes a process that ends well without a test for a test that passed.
    if (name === file) emptyProcesses++
    else if (file) tested.add(file)
  })
  stream.on('test:fail', ({ file }) => file && tested.add(file))
  stream.on('test:summary', ({ file, counts }) => {
    // One a process, and one without a file for all of them.
    if (file !== undefined) return
    const { tests, passed } = counts
    const skipped = counts.skipped + counts.todo
    totals = { passed: passed - emptyProcesses, failed: tests - passed - skipped, skipped }
  })
  for await (const text of stream.compose(spec)) process.stdout.write(text)
  if (!totals) throw new Error('The test runner ended without a summary.')
  return { totals, tested }
}
