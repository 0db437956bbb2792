import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { ROOT } from '../../../cli/machine/paths.ts'

const HARDHAT = 'node_modules/hardhat/dist/src/cli.js'
const CONFIG = 'test/contracts/coverage/hardhat.config.ts'

/**
 * Runs the contracts' tests on code that Hardhat has instrumented, and returns 1 unless they run each of its
 * lines. Fuzzing is kept short here: what only luck reaches counts as missed.
 */
async function check(): Promise<number> {
  const output = await runTests()
  const lines = linesOf(await readFile(`${ROOT}coverage/lcov.info`, 'utf8'))
  if (lines.length === 0) throw new Error(`Nothing was measured:\n${output}`)
  const missed = lines.filter(({ count }) => count === '0').map(({ at }) => `  missed ${at}`)
  process.stdout.write([`lines: ${lines.length - missed.length} of ${lines.length}`, ...missed, ''].join('\n'))
  return missed.length === 0 ? 0 : 1
}

async function runTests(): Promise<string> {
  const args = [HARDHAT, '--config', CONFIG, 'test', 'solidity', '--coverage', '--test-profile', 'short']
  try {
    return (await promisify(execFile)(process.execPath, args, { cwd: ROOT })).stdout
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    throw new Error(`The tests fail on instrumented contracts:\n${stdout}${stderr}`)
  }
}

/** From lcov: `SF:` names a file, `DA:` a line of it and how often it ran. */
function linesOf(lcov: string): { at: string; count: string | undefined }[] {
  return lcov.split('end_of_record').flatMap((record) => {
    const file = record.match(/^SF:(.*)$/m)?.[1]
    return [...record.matchAll(/^DA:(\d+),(\d+)/gm)].map(([, line, count]) => ({ at: `${file}:${line}`, count }))
  })
}

process.exitCode = await check()
