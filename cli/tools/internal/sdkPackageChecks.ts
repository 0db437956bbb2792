import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ROOT } from '../../machine/paths.ts'
import { packPackage } from '../../stack/sdkPackage.ts'

/**
 * Packs the SDK, and lets publint and attw judge the file: what it says of itself, and what TypeScript and
 * bundlers find in it. Throws an Error with what they print.
 */
export async function checkSdkPackage(): Promise<void> {
  const scratch = await mkdtemp(join(tmpdir(), 'sdk-check-'))
  try {
    const file = join(scratch, 'sdk.tgz')
    await packPackage(file)
    await runTool('publint/src/cli.js', 'run', file, '--strict')
    await runTool('@arethetypeswrong/cli/dist/index.js', file, '--profile', 'esm-only', '--no-color')
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

async function runTool(program: string, ...args: string[]): Promise<void> {
  const run = promisify(execFile)(process.execPath, [join(ROOT, 'node_modules', program), ...args])
  await run.catch(({ stdout, stderr }: { stdout: string; stderr: string }) => {
    throw new Error(`${stdout}${stderr}`)
  })
}
