import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { exclusively } from '../machine/lock.ts'
import { IS_PACKAGED, ROOT } from '../machine/paths.ts'

const HARDHAT = 'node_modules/hardhat/dist/src/cli.js'

/**
 * Compiles the contracts that changed; a packaged folder has them compiled. Throws an Error with the
 * compiler's output, or once `signal` aborts.
 */
export async function compileContracts(signal?: AbortSignal): Promise<void> {
  if (!IS_PACKAGED) await build(['--no-tests'], signal)
}

/** As compileContracts, with the test contracts: tests outside Solidity deploy some of them. */
export function compileWithTests(): Promise<void> {
  return build([])
}

// Two concurrent builds delete each other's files.
async function build(options: readonly string[], signal?: AbortSignal): Promise<void> {
  const args = [HARDHAT, 'build', '--quiet', ...options]
  try {
    await exclusively('build', () => promisify(execFile)(process.execPath, args, { cwd: ROOT, signal }), signal)
  } catch (error) {
    signal?.throwIfAborted()
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    throw new Error(`The contracts do not compile:\n${stdout}${stderr}`)
  }
}
