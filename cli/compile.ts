import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { exclusively } from './lock.ts'
import { ROOT } from './paths.ts'

const HARDHAT = 'node_modules/hardhat/dist/src/cli.js'

/** Compiles the contracts that changed since the last time. Throws an Error with the compiler's words. */
export function compileContracts(): Promise<void> {
  return build(['--no-tests'])
}

/** As compileContracts, and the contracts the tests are made of: some of those are deployed by tests outside Solidity. */
export function compileWithTests(): Promise<void> {
  return build([])
}

// Two builds at once take each other's files away.
async function build(options: readonly string[]): Promise<void> {
  const args = [HARDHAT, 'build', '--quiet', ...options]
  try {
    await exclusively('build', () => promisify(execFile)(process.execPath, args, { cwd: ROOT }))
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    throw new Error(`The contracts do not compile:\n${stdout}${stderr}`)
  }
}
