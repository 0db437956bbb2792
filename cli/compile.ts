import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
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

async function build(options: readonly string[]): Promise<void> {
  try {
    await promisify(execFile)(process.execPath, [HARDHAT, 'build', '--quiet', ...options], { cwd: ROOT })
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    throw new Error(`The contracts do not compile:\n${stdout}${stderr}`)
  }
}
