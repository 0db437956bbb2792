import { existsSync } from 'node:fs'
import { glob, readdir } from 'node:fs/promises'
import { relative, resolve } from 'node:path'
import { ROOT } from '../paths.ts'

const SOLIDITY_AREA = 'contracts'
/** The name of what a run without names leaves out. */
const REST = 'rest'
// What goes wrong in one part at every point it can: processes killed and databases put back, for minutes each. A run
// without names leaves them out, so that it is short enough to be made for every change; whoever merges runs both.
const REST_AREAS = ['faults', 'chain', 'facilitator', 'indexer', 'cli']
// Where whole stacks are started. They take longest, so they come first: the short ones fill what is left at the end.
const LONG_AREAS = ['e2e', ...REST_AREAS]

/** Which tests to run. */
export interface TestSelection {
  solidity: boolean
  /** Paths from the repository's folder. */
  files: string[]
}

/**
 * The tests of some areas or files. Where none is named all but those of the areas that take longest, which `rest` names:
 * the two together are all. Throws an Error for what does not exist.
 */
export async function findTests(names: readonly string[]): Promise<TestSelection> {
  const found = await Array.fromAsync(glob('test/**/*.test.ts', { cwd: ROOT }))
  const all = found.sort((a, b) => rank(a) - rank(b) || a.localeCompare(b))
  if (names.length === 0) return { solidity: true, files: all.filter((file) => !REST_AREAS.includes(areaOf(file))) }
  const wanted = await Promise.all(names.flatMap((name) => (name === REST ? REST_AREAS : [name])).map(pathOf))
  return {
    solidity: wanted.includes(`test/${SOLIDITY_AREA}`),
    files: all.filter((file) => wanted.some((path) => file === path || file.startsWith(`${path}/`))),
  }
}

async function pathOf(name: string): Promise<string> {
  if (existsSync(`${ROOT}test/${name}`)) return `test/${name}`
  const path = relative(ROOT, resolve(name))
  if (path.startsWith('test/') && existsSync(ROOT + path)) return path
  const entries = await readdir(`${ROOT}test`, { withFileTypes: true })
  const areas = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name)
  throw new Error(`There are no tests called ${name}. Areas: ${areas.sort().join(', ')}; ${REST}.`)
}

function areaOf(file: string): string {
  return file.split('/')[1] ?? ''
}

function rank(file: string): number {
  const index = LONG_AREAS.indexOf(areaOf(file))
  return index < 0 ? LONG_AREAS.length : index
}
