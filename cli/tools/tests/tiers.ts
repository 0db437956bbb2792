import { existsSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { relative, resolve } from 'node:path'
import { ROOT } from '../../machine/paths.ts'

/**
 * The three tiers of tests:
 *
 *     ./market test          every test in test/ outside test/system: for every change
 *     ./market test system   test/system: real processes at every other kill point, restore, reorganisation
 *                            and lie, and walks through every action in every state, and every operation by
 *                            every caller
 *     ./market test deep     the tests below, with far more input and the cases that take longest; then
 *                            mutation
 */
const SYSTEM = 'test/system'
const SOLIDITY = 'test/contracts'
const GENERATING: readonly string[] = [
  SOLIDITY,
  'test/between',
  'test/api/payments/ledger/histories.test.ts',
  'test/api/payments/reconciliation/byHand.test.ts',
  'test/api/trading/orders/x402.test.ts',
  'test/system/contract/fuzz.test.ts',
  'test/system/api/main.test.ts',
  'test/system/chain.test.ts',
  'test/system/events.test.ts',
  'test/system/package.test.ts',
  'test/system/production.test.ts',
  'test/system/faults.test.ts',
  'test/audit/corruption.test.ts',
  'test/audit/lies.test.ts',
  'test/system/workspace/uploads.test.ts',
  'test/system/facilitator/databaseLoss.test.ts',
  'test/system/console/pages.test.ts',
  'test/api/workspace/pages/writers.test.ts',
  'test/system/upgrade.test.ts',
  'test/system/indexUpgrade.test.ts',
]
// These take longest. They start first, so that short files fill the time until the last one ends.
const LONGEST: readonly string[] = [
  'test/system/faults.test.ts',
  'test/facilitator/intents/payouts.test.ts',
  'test/facilitator/acting.test.ts',
  'test/api/trading/disputes/',
  'test/api/trading/reputation/',
]

function isSystemTest(file: string): boolean {
  return file.startsWith(`${SYSTEM}/`)
}

/** Which tests to run. */
export interface TestSelection {
  solidity: boolean
  /** Paths relative to the repository. */
  files: string[]
}

/**
 * Returns the tests in some areas (folders of test/) or files. Without names these are the tests of every
 * change; in a deep run, all that generate their input. Throws an Error for an unknown name.
 */
export async function findTests(names: readonly string[], { isDeep = false } = {}): Promise<TestSelection> {
  const found = await Array.fromAsync(glob('test/**/*.test.ts', { cwd: ROOT }))
  const all = found.sort((a, b) => Number(isLongest(b)) - Number(isLongest(a)) || a.localeCompare(b))
  const wanted = await Promise.all((names.length === 0 && isDeep ? GENERATING : names).map(pathOf))
  if (wanted.length === 0) return { solidity: true, files: all.filter((file) => !isSystemTest(file)) }
  return {
    solidity: wanted.includes(SOLIDITY),
    files: all.filter((file) => wanted.some((path) => file === path || file.startsWith(`${path}/`))),
  }
}

async function pathOf(name: string): Promise<string> {
  if (existsSync(`${ROOT}test/${name}`)) return `test/${name}`
  const path = relative(ROOT, resolve(name))
  if (path.startsWith('test/') && existsSync(ROOT + path)) return path
  const tests = await Array.fromAsync(glob('test/*/**/*.test.ts', { cwd: ROOT }))
  const areas = new Set(tests.map((test) => test.split('/')[1]))
  throw new Error(`There are no tests called ${name}. Areas: ${[...areas].sort().join(', ')}.`)
}

function isLongest(file: string): boolean {
  return LONGEST.some((path) => file.startsWith(path))
}
