import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { setForChildren } from '../env.ts'
import { ROOT } from '../paths.ts'
import type { Totals } from './totals.ts'

// A whole stack keeps more than one core busy: with more files at once each only takes longer.
const CONCURRENT_FILES = 2
const LIMITED = ['--import', new URL('limit.ts', import.meta.url).href]

/**
 * Runs each test file in a process of its own and prints the results. A file that crashes or has no test is a failed
 * test. So is one that takes fifteen minutes, where `isLimited`.
 */
export async function runNodeTests(
  files: readonly string[],
  { environment, isLimited }: { environment: Record<string, string>; isLimited: boolean },
): Promise<Totals> {
  setForChildren(environment)
  const paths = files.map((file) => ROOT + file)
  const stream = run({ cwd: ROOT, files: paths, concurrency: CONCURRENT_FILES, execArgv: isLimited ? LIMITED : [] })
  const empty: string[] = []
  let totals: Totals | undefined
  stream.on('test:pass', ({ name }) => {
    // The runner counts a process that succeeds without a test as a passed test with the file's name.
    if (paths.includes(name)) empty.push(name)
  })
  stream.on('test:summary', ({ file, counts }) => {
    // There is one event per file, and one without a file for all of them.
    if (file !== undefined) return
    const skipped = counts.skipped + counts.todo
    totals = { passed: counts.passed, failed: counts.tests - counts.passed - skipped, skipped }
  })
  for await (const text of stream.compose(spec)) process.stdout.write(text)
  if (!totals) throw new Error('The test runner ended without a summary.')
  for (const path of empty) console.log(`✖ ${path} has no test`)
  return { ...totals, passed: totals.passed - empty.length, failed: totals.failed + empty.length }
}
