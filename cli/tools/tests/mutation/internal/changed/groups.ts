import { existsSync, globSync } from 'node:fs'
import { dirname } from 'node:path'
import { ROOT } from '../../../../../machine/paths.ts'
import type { Room } from '../typescript/rooms.ts'
import type { Lines } from './lines.ts'

const FILES_A_PROCESS = 4

/** Changed lines that the same tests are held against. */
export interface Group {
  room: Room
  lines: number
}

/**
 * Returns the changes in groups with the tests nearest to them, the largest first, and the files that have no
 * tests near.
 */
export function groupsOf(changed: ReadonlyMap<string, readonly Lines[]>): { groups: Group[]; without: string[] } {
  const byTests = Map.groupBy(changed, ([path]) => nearestTests(path) ?? '')
  const without = (byTests.get('') ?? []).map(([path]) => path)
  byTests.delete('')
  const groups = [...byTests].map(([tests, files]) => ({
    room: {
      sources: files.flatMap(([path, all]) => all.map(([first, last]) => `${path}:${first}-${last}`)),
      tests: [tests],
      filesAProcess: FILES_A_PROCESS,
    },
    lines: files.flatMap(([, all]) => all).reduce((sum, [first, last]) => sum + last - first + 1, 0),
  }))
  return { groups: groups.sort((one, other) => other.lines - one.lines), without }
}

/**
 * Returns the pattern of the tests nearest to a source: those of the file's own name, else all in the folder
 * of its folder's name, else those directly in a folder above. Returns undefined if there are none.
 */
export function nearestTests(path: string): string | undefined {
  const own = `test/${path.replace(/\.tsx?$/, '')}.test.ts`
  if (existsSync(ROOT + own)) return own
  const folder = dirname(path)
  if (hasTests(`test/${folder}/**/*.test.ts`)) return `test/${folder}/**/*.test.ts`
  for (let above = dirname(folder); above !== '.'; above = dirname(above))
    if (hasTests(`test/${above}/*.test.ts`)) return `test/${above}/*.test.ts`
  return undefined
}

function hasTests(pattern: string): boolean {
  return globSync(pattern, { cwd: ROOT }).length > 0
}
