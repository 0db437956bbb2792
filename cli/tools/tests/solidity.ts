import { spawn } from 'node:child_process'
import { ROOT } from '../../machine/paths.ts'
import type { Totals } from './totals.ts'

/**
 * Runs the contracts' own tests; `deep` with far more fuzzing. A run that ends without a result has failed.
 */
export async function runSolidityTests(deep: boolean): Promise<Totals> {
  const args = ['node_modules/hardhat/dist/src/cli.js', 'test', 'solidity', '--test-profile', deep ? 'deep' : 'default']
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text
  })
  const { promise: ended, resolve } = Promise.withResolvers<number | null>()
  child.once('error', () => resolve(null))
  child.once('close', resolve)
  const code = await ended
  // All at once: the results of other tests are printed meanwhile.
  process.stdout.write(output)
  const totals = {
    passed: count(output, 'passing'),
    failed: count(output, 'failing'),
    skipped: count(output, 'skipped'),
  }
  const saidNothing = totals.passed + totals.failed === 0
  return saidNothing || (code !== 0 && totals.failed === 0) ? { ...totals, failed: totals.failed + 1 } : totals
}

function count(output: string, word: string): number {
  return Number(output.match(new RegExp(`(\\d+) ${word}`))?.[1] ?? 0)
}
