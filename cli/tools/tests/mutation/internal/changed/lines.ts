import { execFileSync } from 'node:child_process'
import { ROOT } from '../../../../../machine/paths.ts'
import { Misuse } from '../../../../../terminal/options.ts'

/** Lines of a file: the first and the last. */
export type Lines = readonly [number, number]

const FILE = /^\+\+\+ b\/(.+)$/
const HUNK = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/
const SOURCE = /^(?!test\/|bench\/|api\/migrations\/)(?!.*(?:\/generated\/|\.test\.|\.d\.ts$)).+\.tsx?$/

/**
 * Returns the lines of sources that differ from a commit, by file. Throws a Misuse for a commit that is not
 * there.
 */
export function changedLines(since: string): Map<string, Lines[]> {
  return linesIn(diffFrom(since))
}

/** Returns the lines of sources that a diff without context adds or changes. */
export function linesIn(diff: string): Map<string, Lines[]> {
  const changed = new Map<string, Lines[]>()
  let path = ''
  for (const line of diff.split('\n')) {
    path = FILE.exec(line)?.[1] ?? path
    const [, first, count = '1'] = HUNK.exec(line) ?? []
    if (first === undefined || count === '0' || !SOURCE.test(path)) continue
    const lines: Lines = [Number(first), Number(first) + Number(count) - 1]
    changed.set(path, [...(changed.get(path) ?? []), lines])
  }
  return changed
}

function diffFrom(since: string): string {
  const args = [
    '-C',
    ROOT,
    'diff',
    '--unified=0',
    '--no-color',
    '--no-ext-diff',
    '--diff-filter=d',
    '--end-of-options',
    since,
  ]
  try {
    return execFileSync('git', args, { encoding: 'utf8', maxBuffer: 2 ** 28, stdio: ['ignore', 'pipe', 'ignore'] })
  } catch {
    throw new Misuse(`There is no commit ${since} in this clone.`)
  }
}
