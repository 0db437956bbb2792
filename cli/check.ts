import { spawn } from 'node:child_process'
import { ROOT } from './paths.ts'
import { showStep } from './progress.ts'
import { summary } from './tests/totals.ts'

const CHECKS: { title: string; args: string[] }[] = [
  {
    title: 'Format and lint (biome)',
    args: ['node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'],
  },
  { title: 'Types (tsc)', args: ['node_modules/typescript/bin/tsc', '--noEmit'] },
  { title: 'Types of the console (tsc)', args: ['node_modules/typescript/bin/tsc', '--noEmit', '-p', 'console'] },
  { title: 'Unused code and dependencies (knip)', args: ['node_modules/knip/bin/knip.js'] },
  { title: 'The contract of the API (OpenAPI)', args: ['test/api/platform/http/contract/check.ts'] },
  { title: 'Coverage of the contracts', args: ['test/contracts/coverage/check.ts'] },
  { title: 'Generated files are current', args: ['cli/main.ts', 'generate', '--check'] },
]

/**
 * Checks the repository: format, types, unused code, generated files. The last line is the summary. Returns 0 when all
 * pass.
 */
export async function run(): Promise<number> {
  let failed = 0
  const waiting = CHECKS.values()
  const runSome = async () => {
    for (const { title, args } of waiting) {
      await showStep(title, () => check(args)).catch((error: Error) => {
        failed++
        console.log(error.message)
      })
    }
  }
  await Promise.all([runSome(), runSome()])
  console.log(summary({ passed: CHECKS.length - failed, failed, skipped: 0 }))
  return failed === 0 ? 0 : 1
}

async function check(args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
  const { promise, resolve, reject } = Promise.withResolvers<number | null>()
  child.once('error', reject)
  child.once('close', resolve)
  if ((await promise) !== 0) throw new Error(output)
}
