import { cp, readFile, writeFile } from 'node:fs/promises'
import { createHardhatRuntimeEnvironment, importUserConfig } from 'hardhat/hre'
import { ROOT } from '../../../machine/paths.ts'
import { CONTRACT, type Compiled } from './compiler.ts'

// Enough to reach each branch of a fuzzed test. Survivors are tested again with all its runs.
const QUICK = { fuzz: { runs: 16 }, invariant: { runs: 4, depth: 64, failOnRevert: true } }

/** The Solidity tests, run on a given contract. */
export interface Suites {
  /**
   * Runs test files (paths relative to the repository), or all if none are named. Returns the first that
   * failed.
   */
  firstFailure: (contract: Compiled, files: readonly string[], thorough: boolean) => Promise<string | undefined>
}

interface SuiteResult {
  id: { name: string }
  testResults: { name: string; status: string }[]
}

type TaskResult = { success: true; value: RunResult } | { success: false; error: RunResult }

interface RunResult {
  suiteResults: SuiteResult[]
}

/**
 * Prepares a folder with its own copy of the compiled artifacts. The tests load the escrow's code from its
 * artifact, so replacing that is enough, and neither the sources nor the tests are compiled again.
 */
export async function openSuites(folder: string): Promise<Suites> {
  await cp(`${ROOT}artifacts`, `${folder}/artifacts`, { recursive: true })
  const hardhatConfig = await importUserConfig(`${ROOT}hardhat.config.ts`)
  const paths = { ...hardhatConfig.paths, artifacts: `${folder}/artifacts`, cache: `${folder}/cache` }
  const given = hardhatConfig.test?.solidity ?? {}
  const usual = 'profiles' in given ? given.profiles?.default : given
  const open = (runs: object) => {
    const solidity = { profiles: { default: { ...usual, ...runs } } }
    return createHardhatRuntimeEnvironment({ ...hardhatConfig, paths, test: { solidity } }, {}, ROOT)
  }
  const [quick, whole] = await Promise.all([open(QUICK), open({})])
  const artifact = `${folder}/artifacts/${CONTRACT.path}/${CONTRACT.name}.json`
  const original = JSON.parse(await readFile(artifact, 'utf8'))
  return {
    async firstFailure({ bytecode, deployedBytecode }, files, thorough) {
      await writeFile(artifact, JSON.stringify({ ...original, bytecode, deployedBytecode }))
      const task = (thorough ? whole : quick).tasks.getTask(['test', 'solidity'])
      return failureIn(await task.run({ noCompile: true, testFiles: [...files] }))
    },
  }
}

function failureIn(result: TaskResult): string | undefined {
  const { suiteResults } = result.success ? result.value : result.error
  if (suiteResults.length === 0) throw new Error('The tests ended without saying how they went.')
  for (const { id, testResults } of suiteResults) {
    const failed = testResults.find(({ status }) => status === 'Failure')
    if (failed) return `${id.name}.${failed.name.replace(/\(.*$/, '')}`
  }
  return result.success ? undefined : 'the run itself'
}
