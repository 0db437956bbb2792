import { execFile } from 'node:child_process'
import { glob, readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { ROOT } from '../../../cli/machine/paths.ts'
import { conditionsOf } from './conditions.ts'

const LINES_GOAL = 1
const BRANCHES_GOAL = 0.98
const HARDHAT = 'node_modules/hardhat/dist/src/cli.js'
const CONFIG = 'test/contracts/coverage/hardhat.config.ts'

interface Covered {
  all: number
  missed: string[]
}

/**
 * Runs the contracts' tests on instrumented code and answers 1 unless they run all of its lines and 98% of
 * its branches. Lines are Hardhat's own figure. It has none for branches: they are the two ways of each
 * condition, marked by `conditions.ts`. Fuzzing is kept short here: what only luck reaches counts as missed.
 */
async function check(): Promise<number> {
  const output = await runTests()
  const files = (await Array.fromAsync(glob('contracts/**/*.sol', { cwd: ROOT }))).sort()
  const lines = linesOf(await readFile(`${ROOT}coverage/lcov.info`, 'utf8'))
  const branches = await branchesOf(files)
  if (lines.all === 0 || branches.all === 0) throw new Error(`Nothing was measured:\n${output}`)
  const met = [meets('lines', lines, LINES_GOAL), meets('branches', branches, BRANCHES_GOAL)]
  return met.includes(false) ? 1 : 0
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
function linesOf(lcov: string): Covered {
  const records = lcov.split('end_of_record').flatMap((record) => {
    const file = record.match(/^SF:(.*)$/m)?.[1]
    return [...record.matchAll(/^DA:(\d+),(\d+)/gm)].map(([, line, count]) => ({ at: `${file}:${line}`, count }))
  })
  return { all: records.length, missed: records.filter(({ count }) => count === '0').map(({ at }) => at) }
}

async function branchesOf(files: readonly string[]): Promise<Covered> {
  const hit = await hitTags()
  const branches = await Promise.all(
    files.map(async (file) =>
      conditionsOf(file, await readFile(ROOT + file, 'utf8')).flatMap(({ line, text, tags }) =>
        (['true', 'false'] as const).map((way) => ({
          at: `${file}:${line}: ${text} was never ${way}`,
          tag: tags[way],
        })),
      ),
    ),
  )
  const all = branches.flat()
  return { all: all.length, missed: all.filter(({ tag }) => !hit.has(tag)).map(({ at }) => at) }
}

/** What the run reported: a key for each statement and each way of a condition that was run. */
async function hitTags(): Promise<Set<string>> {
  const files = await Array.fromAsync(glob('coverage/data/solidity/*.json', { cwd: ROOT }))
  const data = await Promise.all(files.map(async (file) => JSON.parse(await readFile(ROOT + file, 'utf8'))))
  return new Set(data.flatMap((counts) => Object.keys(counts)))
}

function meets(name: string, { all, missed }: Covered, goal: number): boolean {
  const share = (all - missed.length) / all
  const percent = (part: number) => `${(part * 100).toFixed(2)}%`
  const summary = `${name}: ${all - missed.length} of ${all}, ${percent(share)}; at least ${percent(goal)}`
  process.stdout.write([summary, ...missed.map((at) => `  missed ${at}`), ''].join('\n'))
  return share >= goal
}

process.exitCode = await check()
