import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { setForChildren } from '../env.ts'
import { ROOT } from '../paths.ts'
import type { Totals } from './totals.ts'

// A whole stack keeps more than a core busy: with more files at once each only takes longer.
const CONCURRENT_FILES = 2
// What hangs is ended. No file takes a fraction of this, on however slow a machine.
const FILE_TIMEOUT_MS = 600_000

/** Runs test files, each in a process of its own, and prints how they go. A file that crashes is a failed test. */
export async function runNodeTests(files: readonly string[], environment: Record<string, string>): Promise<Totals> {
  setForChildren(environment)
  const stream = run({
    cwd: ROOT,
    files: files.map((file) => ROOT + file),
    concurrency: CONCURRENT_FILES,
    timeout: FILE_TIMEOUT_MS,
  })
  let totals: Totals | undefined
  const withoutTests: string[] = []
  stream.on('test:pass', ({ name, file }) => {
    // The runner takes a file that runs through for a test that passed.
    if (name === file) withoutTests.push(name)
  })
  stream.on('test:summary', ({ file, counts }) => {
    // One a file, and one without a file for all of them.
    if (file !== undefined) return
    const { tests, passed } = counts
    const skipped = counts.skipped + counts.todo
    totals = { passed, failed: tests - passed - skipped, skipped }
  })
  for await (const text of stream.compose(spec)) process.stdout.write(text)
  if (!totals) throw new Error('The test runner ended without a summary.')
  for (const file of withoutTests) console.log(`✖ ${file} holds no test`)
  return { ...totals, passed: totals.passed - withoutTests.length, failed: totals.failed + withoutTests.length }
}
