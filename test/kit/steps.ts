import type { Profiler } from 'node:inspector'
import { Session } from 'node:inspector/promises'
import { setFlagsFromString } from 'node:v8'
import pg from 'pg'

// Optimised code does not count the calls of functions that it has inlined.
for (const flag of ['--no-opt', '--no-maglev', '--no-lazy-feedback-allocation']) setFlagsFromString(flag)

/**
 * How often each function ran, or the most frequent block in it, and how many elements the runtime's own
 * functions went through.
 */
export type Steps = Map<string, number>

/** Functions of the runtime that go through all of what they are called on. V8 counts no step of theirs. */
const LINEAR: readonly (readonly [object, readonly (string | symbol)[]])[] = [
  [
    Array.prototype,
    [
      ...['includes', 'indexOf', 'lastIndexOf', 'concat', 'slice', 'splice', 'shift', 'unshift', 'join', 'reverse'],
      ...['flat', 'fill', 'toReversed', 'toSorted', 'toSpliced', 'with', 'values', Symbol.iterator],
    ],
  ],
  [String.prototype, ['replaceAll', 'replace', 'split', 'matchAll', 'normalize', 'toLowerCase', 'trim', 'includes']],
  [Map.prototype, ['values', 'keys', 'entries', Symbol.iterator]],
  [Set.prototype, ['values', 'keys', Symbol.iterator]],
]

/**
 * Counts the steps of works. V8 counts a function exactly from its first calls on, so run a work once before
 * it is counted.
 */
export interface StepCounter {
  /**
   * Counts the steps of some work in this process, in our code and in that of our packages: numbers that
   * neither a slow machine nor a busy one changes. SQL statements count under `sql`, with the elements of
   * their parameters.
   */
  count: (work: () => Promise<unknown>) => Promise<Steps>
  stop: () => void
}

/** Starts counting. */
export async function startStepCounter(): Promise<StepCounter> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  return {
    count: async (work) => {
      const steps: Steps = new Map()
      // Begins at 0 again.
      await session.post('Profiler.takePreciseCoverage')
      const restore = countNatives(steps)
      try {
        await work()
      } finally {
        restore()
      }
      const { result } = await session.post('Profiler.takePreciseCoverage')
      for (const { url, functions } of result) addFunctions(steps, placeOf(url), functions)
      return steps
    },
    stop: () => session.disconnect(),
  }
}

function addFunctions(steps: Steps, place: string | undefined, functions: readonly Profiler.FunctionCoverage[]): void {
  if (place === undefined) return
  for (const { functionName, ranges } of functions) {
    const name = `${place} ${functionName || '(anonymous)'} at ${ranges[0]?.startOffset}`
    steps.set(name, (steps.get(name) ?? 0) + Math.max(...ranges.map(({ count }) => count)))
  }
}

/**
 * Returns what grew faster than the work did from one run to another with `times` as many elements: steps of
 * more than half as much again as n log n, if they are many.
 */
export function fasterThanLinear(
  few: Steps,
  many: Steps,
  { times, elements }: { times: number; elements: number },
): string[] {
  return [...many].flatMap(([name, count]) => {
    const before = few.get(name) ?? 0
    const isFast = count > before * times * 1.5 && count > elements * times * 10
    return isFast ? [`${name}: ${before} → ${count}`] : []
  })
}

/** A file of ours, or of a package; not of the tests. */
function placeOf(url: string): string | undefined {
  return /^file:.*?\/((?:api|protocol|node_modules)\/.*)$/.exec(url)?.[1]
}

function countNatives(steps: Steps): () => void {
  const note = (name: string, count: number) => steps.set(name, (steps.get(name) ?? 0) + count)
  const restored = LINEAR.flatMap(([prototype, names]) =>
    names.map((name) => {
      const owner = prototype as Record<string | symbol, unknown>
      const native = owner[name] as (...given: unknown[]) => unknown
      const label = `${prototype.constructor.name}.${String(name)}`
      owner[name] = function (this: { length?: number; size?: number }, ...given: unknown[]) {
        const answer = Reflect.apply(native, this, given)
        // A part is copied; the others go through the whole.
        note(label, name === 'slice' && Array.isArray(answer) ? answer.length : (this.length ?? this.size ?? 0))
        return answer
      }
      return () => {
        owner[name] = native
      }
    }),
  )
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    const [, values] = given
    const elements = Array.isArray(values) ? values.map((value) => (Array.isArray(value) ? value.length : 0)) : []
    note(
      'sql',
      elements.reduce((sum, count) => sum + count, 1),
    )
    return Reflect.apply(query, this, given)
  } as typeof query
  return () => {
    for (const restore of restored) restore()
    pg.Client.prototype.query = query
  }
}
