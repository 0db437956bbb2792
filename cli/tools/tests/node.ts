import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { setForChildren } from '../../machine/env.ts'
import { ROOT } from '../../machine/paths.ts'
import { type LaneOfProcesses, lanesOf } from './internal/lanes.ts'
import { addUp, type Totals } from './totals.ts'

const LIMITED = ['--import', new URL('internal/limit.ts', import.meta.url).href]
const SLOWEST_SHOWN = 10

/** How long the tests of each file took. A file without a test is not in it. */
type Durations = Map<string, number>

/**
 * Runs test files, prints the results, and then which files took longest. A process that crashes and a file
 * that has no test are each a failed test. So is a process that takes fifteen minutes, where `isLimited`.
 */
export async function runNodeTests(
  files: readonly string[],
  { environment, isLimited }: { environment: Record<string, string>; isLimited: boolean },
): Promise<Totals> {
  setForChildren(environment)
  const durations: Durations = new Map()
  const lanes = await lanesOf(files)
  const totals = addUp(await Promise.all(lanes.map((lane) => runLane(lane, isLimited, durations))))
  const empty = files.filter((file) => !durations.has(ROOT + file))
  for (const file of empty) console.log(`✖ ${file} has no test`)
  showSlowest(durations)
  return { ...totals, failed: totals.failed + empty.length }
}

async function runLane({ processes, concurrency }: LaneOfProcesses, isLimited: boolean, durations: Durations) {
  const stream = run({ cwd: ROOT, files: [...processes], concurrency, execArgv: isLimited ? LIMITED : [] })
  let emptyProcesses = 0
  let totals: Totals | undefined
  const note = (file: string | undefined, nesting: number, durationMs: number) => {
    if (file) durations.set(file, (durations.get(file) ?? 0) + (nesting === 0 ? durationMs : 0))
  }
  stream.on('test:pass', ({ name, file, nesting, details }) => {
    // The runner counts a process that succeeds without a test as a passed test with the name of its file.
    if (processes.includes(name)) emptyProcesses++
    else note(file, nesting, details.duration_ms)
  })
  stream.on('test:fail', ({ file, nesting, details }) => note(file, nesting, details.duration_ms))
  stream.on('test:summary', ({ file, counts }) => {
    // There is one event per process, and one without a file for all of them.
    if (file !== undefined) return
    const skipped = counts.skipped + counts.todo
    totals = { passed: counts.passed - emptyProcesses, failed: counts.tests - counts.passed - skipped, skipped }
  })
  for await (const text of stream.compose(spec)) process.stdout.write(text)
  if (!totals) throw new Error('The test runner ended without a summary.')
  return totals
}

function showSlowest(durations: Durations): void {
  const slowest = [...durations].sort(([, a], [, b]) => b - a).slice(0, SLOWEST_SHOWN)
  console.log('The slowest files:')
  for (const [file, durationMs] of slowest) {
    console.log(`${(durationMs / 1000).toFixed(1).padStart(8)} s  ${file.slice(ROOT.length)}`)
  }
}
