import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { ROOT } from '../machine/paths.ts'
import { showStep } from '../terminal/progress.ts'
import { checkLineLengths } from './internal/lineLengths.ts'
import { checkPins } from './internal/pins.ts'
import { checkSdkPackage } from './internal/sdkPackageChecks.ts'
import { checkTestTags } from './internal/testTags.ts'
import { summary } from './tests/totals.ts'

// The native compiler takes half the time of the one that is imported as `typescript`.
const TSC = fileURLToPath(new URL('bin/tsc', import.meta.resolve('@typescript/native/package.json')))
const CHECKS: { title: string; work: () => Promise<void> }[] = [
  {
    title: 'Format and lint (biome)',
    work: () => runNode('node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'),
  },
  { title: 'Types (tsc)', work: () => runNode(TSC, '--noEmit') },
  { title: 'Types of the console (tsc)', work: () => runNode(TSC, '--noEmit', '-p', 'console') },
  { title: 'Unused code and dependencies (knip)', work: () => runNode('node_modules/knip/bin/knip.js') },
  { title: 'Packages are pinned by hashes', work: checkPins },
  { title: 'The package of the SDK (publint, attw)', work: checkSdkPackage },
  { title: 'Lengths of comments and of Markdown lines', work: checkLineLengths },
  { title: 'Each statement and each risk has its tests', work: checkTestTags },
  {
    title: 'The contract of the API (OpenAPI)',
    work: () => runNode('test/kit/api/platform/http/contract/check.ts'),
  },
  {
    title: 'Clients that generators make of that contract',
    work: () => runNode('test/kit/api/platform/http/contract/clients.ts'),
  },
  { title: 'Coverage of the contracts', work: () => runNode('test/contracts/coverage/check.ts') },
  { title: 'Generated files are current', work: () => runNode('cli/main.ts', 'generate', '--check') },
]

/**
 * Checks the repository: format, types, unused code, hashes of packages, generated files. The last line is
 * the summary. Returns 0 when all pass.
 */
export async function run(): Promise<number> {
  let failed = 0
  const waiting = CHECKS.values()
  const runSome = async () => {
    for (const { title, work } of waiting) {
      await showStep(title, work).catch((error: Error) => {
        failed++
        console.log(error.message)
      })
    }
  }
  await Promise.all([runSome(), runSome()])
  console.log(summary({ passed: CHECKS.length - failed, failed, skipped: 0 }))
  return failed === 0 ? 0 : 1
}

async function runNode(...args: string[]): Promise<void> {
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  const { promise, resolve, reject } = Promise.withResolvers<number | null>()
  child.once('error', reject)
  child.once('close', resolve)
  if ((await promise) !== 0) throw new Error(output)
}
